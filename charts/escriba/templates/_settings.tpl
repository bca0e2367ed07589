{{/* What each process alone is told. */}}

{{- define "escriba.env.api" -}}
ESCRIBA_API_HOST: { value: {{ .values.listenAddress | quote }} }
ESCRIBA_API_PORT: { value: "8080" }
ESCRIBA_SCRATCH_DIR: { value: /scratch }
ESCRIBA_MAX_FILE_BYTES: { value: {{ int64 .values.maxFileBytes | quote }} }
{{- with .values.docsUrl }}
ESCRIBA_DOCS_URL: { value: {{ . | quote }} }
{{- end }}
{{- with .values.trustedProxies }}
ESCRIBA_TRUSTED_PROXIES: { value: {{ join "," . | quote }} }
{{- end }}
{{- with .values.corsOrigin }}
ESCRIBA_CORS_ORIGIN: { value: {{ . | quote }} }
{{- end }}
{{- end -}}

{{- define "escriba.env.transcripts" -}}
ESCRIBA_SLOTS_TRANSCRIPTS: { value: {{ int64 .values.slots | quote }} }
{{- end -}}

{{- define "escriba.env.webhooks" -}}
ESCRIBA_SLOTS_WEBHOOKS: { value: {{ int64 .values.slots | quote }} }
# More threads than deliveries, or one receiver's slow name server delays others.
UV_THREADPOOL_SIZE: { value: {{ min 1000 (add 8 (int64 .values.slots)) | quote }} }
{{- with .values.networks }}
ESCRIBA_WEBHOOK_NETWORKS: { value: {{ join "," . | quote }} }
{{- end }}
{{- if .root.Values.mail.enabled }}
{{- with .root.Values.mail }}
ESCRIBA_MAIL_FROM: { value: {{ .from | quote }} }
{{ include "escriba.env.ofSecret" (dict "name" "ESCRIBA_SMTP_URL" "secret" (include "escriba.secretName" (dict "root" $.root "from" .)) "key" .key) }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "escriba.env.fetch" -}}
ESCRIBA_SLOTS_FETCH: { value: {{ int64 .values.slots | quote }} }
{{- with .values.networks }}
ESCRIBA_AUDIO_URL_NETWORKS: { value: {{ join "," . | quote }} }
{{- end }}
{{- end -}}

{{- define "escriba.env.language" -}}
ESCRIBA_SLOTS_LANGUAGE: { value: {{ int64 .values.slots | quote }} }
ESCRIBA_UNDERSTANDING_MODEL: { value: {{ .values.model | quote }} }
ESCRIBA_UNDERSTANDING_PATIENCE: { value: {{ include "escriba.text" .values.patience | quote }} }
{{- with .values.rolesCalibration }}
ESCRIBA_ROLES_CALIBRATION: { value: {{ . | quote }} }
{{- end }}
{{- end -}}

{{- define "escriba.env.media" -}}
ESCRIBA_SLOTS_MEDIA: { value: {{ int64 .values.slots | quote }} }
{{- end -}}

{{- define "escriba.env.speech" -}}
ESCRIBA_QUEUES: { value: "speech,speech-short" }
ESCRIBA_SLOTS_SPEECH: { value: {{ int64 .values.slots | quote }} }
ESCRIBA_SLOTS_SPEECH_SHORT: { value: {{ int64 .values.shortSlots | quote }} }
ESCRIBA_SPEECH_BATCH: { value: {{ int64 .values.batch | quote }} }
ESCRIBA_SPEECH_DEVICE: { value: {{ .values.device | quote }} }
ESCRIBA_SPEAKER_MODEL: { value: {{ .values.speakerModel | quote }} }
{{- with .values.fastModel }}
ESCRIBA_SPEECH_FAST_MODEL: { value: {{ . | quote }} }
{{- end }}
ESCRIBA_SPEECH_THREADS:
  {{- if .values.threads }}
  value: {{ int64 .values.threads | quote }}
  {{- else }}
  # Without a CPU limit a process sees the whole node's cores, and would take them.
  valueFrom: { resourceFieldRef: { containerName: speech, resource: requests.cpu, divisor: "1" } }
  {{- end }}
{{- end -}}

{{- define "escriba.env.inference" -}}
ESCRIBA_INFERENCE_HOST: { value: {{ .values.listenAddress | quote }} }
ESCRIBA_INFERENCE_PORT: { value: "8090" }
ESCRIBA_INFERENCE_WINDOW: { value: {{ int64 .values.window | quote }} }
ESCRIBA_INFERENCE_CHATS: { value: {{ int64 .values.chats | quote }} }
{{- with .values.gguf }}
ESCRIBA_INFERENCE_GGUF: { value: {{ . | quote }} }
{{- end }}
{{- if .values.authenticate }}
{{ include "escriba.env.ofSecret" (dict "name" "ESCRIBA_INFERENCE_API_KEY" "secret" (include "escriba.secretName" (dict "root" .root "from" .values)) "key" .values.key) }}
{{- end }}
{{- end -}}

{{- define "escriba.env.operator" -}}
ESCRIBA_OPERATOR_NAMESPACES: { value: {{ include "escriba.watched" .root | quote }} }
ESCRIBA_OPERATOR_LEASE_NAMESPACE: { valueFrom: { fieldRef: { fieldPath: metadata.namespace } } }
ESCRIBA_OPERATOR_LEASE_NAME: { value: {{ include "escriba.fullname" .root }}-operator }
ESCRIBA_OPERATOR_IDENTITY: { valueFrom: { fieldRef: { fieldPath: metadata.name } } }
{{- end -}}

{{/* Namespaces the operator watches, separated by commas; empty means all. */}}
{{- define "escriba.watched" -}}
{{- if not .Values.operator.clusterWide -}}
{{- join "," (.Values.operator.watchNamespaces | default (list .Release.Namespace)) -}}
{{- end -}}
{{- end -}}

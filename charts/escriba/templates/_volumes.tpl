{{/* Volumes of a pod, and where its container mounts them. Of: what `escriba.pod` is of. */}}
{{- define "escriba.volumeMounts" -}}
- { name: tmp, mountPath: /tmp }
{{- if .scratch }}
- { name: scratch, mountPath: /scratch }
{{- end }}
{{- if .models }}
- { name: models, mountPath: /models{{ if ne .root.Values.modelCache.prefetch "process" }}, readOnly: true{{ end }} }
{{- end }}
{{- if .values.sharedMemory }}
- { name: shm, mountPath: /dev/shm }
{{- end }}
{{- if include "escriba.hasObjectVolume" . }}
- { name: objects, mountPath: {{ trimPrefix "file://" .root.Values.objectStore.url }} }
{{- end }}
{{- if and (has "temporal" .needs) .root.Values.temporal.tls.existingSecret }}
- { name: temporal-tls, mountPath: /etc/escriba/temporal, readOnly: true }
{{- end }}
{{- if or .root.Values.ca.configMap .root.Values.ca.secret }}
- { name: ca, mountPath: /etc/escriba/ca, readOnly: true }
{{- end }}
{{- with .values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "escriba.volumes" -}}
# The root file system is read-only.
- { name: tmp, emptyDir: { sizeLimit: 256Mi } }
{{- with .scratch }}
- name: scratch
  emptyDir:
    {{- toYaml . | nindent 4 }}
{{- end }}
{{- if .models }}
- name: models
  {{- include "escriba.modelsVolume" . | nindent 2 }}
{{- end }}
{{- with .values.sharedMemory }}
- { name: shm, emptyDir: { medium: Memory, sizeLimit: {{ . }} } }
{{- end }}
{{- if .extra }}
# The model server's own: what it writes, and the memory its processes share.
- { name: model-server, emptyDir: {} }
{{- with .values.server.sharedMemory }}
- { name: model-server-shm, emptyDir: { medium: Memory, sizeLimit: {{ . }} } }
{{- end }}
{{- end }}
{{- if include "escriba.hasObjectVolume" . }}
- name: objects
  {{- if .root.Values.objectStore.claim.enabled }}
  persistentVolumeClaim: { claimName: {{ include "escriba.fullname" .root }}-objects }
  {{- else }}
  {{- toYaml .root.Values.objectStore.volume | nindent 2 }}
  {{- end }}
{{- end }}
{{- if and (has "temporal" .needs) .root.Values.temporal.tls.existingSecret }}
- { name: temporal-tls, secret: { secretName: {{ .root.Values.temporal.tls.existingSecret }}, defaultMode: 0440 } }
{{- end }}
{{- with .root.Values.ca }}
{{- if .configMap }}
- { name: ca, configMap: { name: {{ .configMap }}, items: [{ key: {{ .key }}, path: ca.crt }] } }
{{- else if .secret }}
- { name: ca, secret: { secretName: {{ .secret }}, items: [{ key: {{ .key }}, path: ca.crt }] } }
{{- end }}
{{- end }}
{{- with .values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "escriba.hasObjectVolume" -}}
{{- if and (has "objectStore" .needs) (hasPrefix "file:" .root.Values.objectStore.url) -}}true{{- end -}}
{{- end -}}

{{- define "escriba.modelsVolume" -}}
{{- with .root.Values.modelCache -}}
{{- if eq .type "emptyDir" -}}
emptyDir: { sizeLimit: {{ .sizeLimit }} }
{{- else if eq .type "claim" -}}
persistentVolumeClaim: { claimName: {{ .claim.existingClaim | default (printf "%s-models" (include "escriba.fullname" $.root)) }} }
{{- else if eq .type "hostPath" -}}
hostPath: { path: {{ .hostPath.path }}, type: DirectoryOrCreate }
{{- else -}}
image: { reference: {{ .image.reference | quote }}, pullPolicy: {{ .image.pullPolicy }} }
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Models that a component needs, as JSON. Of: root, component. */}}
{{- define "escriba.models" -}}
{{- $values := .root.Values -}}
{{- $names := list -}}
{{- if eq .component "speech" -}}
{{- $names = list "whisper-base" -}}
{{- if ne $values.speech.speakerModel "none" }}{{ $names = append $names $values.speech.speakerModel }}{{ end -}}
{{- with $values.speech.fastModel }}{{ $names = append $names . }}{{ end -}}
{{- else if eq .component "media" -}}
{{- $names = list "silero-vad" -}}
{{- else if eq .component "inference" -}}
{{- $names = list "all-minilm-l6-v2" -}}
{{- if not $values.inference.gguf }}{{ $names = append $names "smollm2-135m-instruct" }}{{ end -}}
{{- end -}}
{{- toJson $names -}}
{{- end -}}

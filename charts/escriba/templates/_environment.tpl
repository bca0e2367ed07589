{{/*
Environment of a component as a map from name to the rest of a container's `env` entry: what each of its needs brings,
then `settings`, then `extraEnv`, the later over the earlier, so that no name stands there twice.
Of: root, component, values (merged), needs (list of names below `escriba.env.`).
*/}}
{{- define "escriba.env" -}}
{{- $env := dict -}}
{{- range .needs -}}
{{- $env = mustMergeOverwrite $env (include (printf "escriba.env.%s" .) $ | fromYaml) -}}
{{- end -}}
{{- range $name, $value := .values.settings -}}
{{- $_ := set $env $name (dict "value" (include "escriba.text" $value)) -}}
{{- end -}}
{{- range .values.extraEnv -}}
{{- $_ := set $env .name (omit . "name") -}}
{{- end -}}
{{- range $name, $entry := $env }}
- name: {{ $name }}
  {{- toYaml $entry | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Text of a value: Helm reads every number as a float, and prints large ones with an exponent. */}}
{{- define "escriba.text" -}}
{{- if kindIs "float64" . }}{{ if eq (floor .) . }}{{ int64 . }}{{ else }}{{ . }}{{ end }}{{ else }}{{ . }}{{ end -}}
{{- end -}}

{{/* Of: name, secret, key. */}}
{{- define "escriba.env.ofSecret" -}}
{{ .name }}:
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
{{- end -}}

{{- define "escriba.env.process" -}}
NODE_ENV: { value: production }
{{- if or .root.Values.ca.configMap .root.Values.ca.secret }}
NODE_EXTRA_CA_CERTS: { value: /etc/escriba/ca/ca.crt }
{{- end }}
{{- with .root.Values.proxy }}
{{- if or .http .https }}
# Node asks this before it looks at the others.
NODE_USE_ENV_PROXY: { value: "1" }
{{- with .http }}
HTTP_PROXY: { value: {{ . | quote }} }
{{- end }}
{{- with .https }}
HTTPS_PROXY: { value: {{ . | quote }} }
{{- end }}
NO_PROXY: { value: {{ join "," (compact (list "localhost,127.0.0.1,::1,.svc,.cluster.local" .noProxy)) | quote }} }
{{- end }}
{{- end }}
{{- end -}}

{{- define "escriba.env.tracing" -}}
{{- with .root.Values.tracing }}
{{- if .endpoint }}
ESCRIBA_OTLP_ENDPOINT: { value: {{ .endpoint | quote }} }
ESCRIBA_TRACE_RATIO: { value: {{ include "escriba.text" .ratio | quote }} }
{{- if .headersFromSecret }}
{{ include "escriba.env.ofSecret" (dict "name" "ESCRIBA_OTLP_HEADERS" "secret" (include "escriba.secretName" (dict "root" $.root "from" .)) "key" .key) }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "escriba.env.log" -}}
ESCRIBA_LOG_LEVEL: { value: {{ .values.logLevel | quote }} }
{{- end -}}

{{- define "escriba.env.metrics" -}}
ESCRIBA_METRICS_HOST: { value: {{ .values.listenAddress | quote }} }
ESCRIBA_METRICS_PORT: { value: "9464" }
{{- end -}}

{{- define "escriba.env.grace" -}}
ESCRIBA_GRACE_SECONDS: { value: {{ int64 .values.graceSeconds | quote }} }
{{- end -}}

{{- define "escriba.env.database" -}}
{{ include "escriba.env.ofSecret" (dict "name" "ESCRIBA_DATABASE_URL" "secret" (include "escriba.secretName" (dict "root" .root "from" .root.Values.database)) "key" .root.Values.database.key) }}
{{- $pool := get .root.Values.database (printf "%sConnections" .component) }}
{{- if $pool }}
ESCRIBA_DATABASE_POOL: { value: {{ int64 $pool | quote }} }
{{- end }}
{{- end -}}

{{- define "escriba.env.migrations" -}}
{{- $own := .root.Values.migrate.existingSecret -}}
{{ include "escriba.env.ofSecret" (dict "name" "ESCRIBA_DATABASE_URL" "secret" ($own | default (include "escriba.secretName" (dict "root" .root "from" .root.Values.database))) "key" (ternary .root.Values.migrate.key .root.Values.database.key (ne $own ""))) }}
{{- end -}}

{{- define "escriba.env.secretsKey" -}}
{{- $from := .root.Values.secrets.secretsKey -}}
{{ include "escriba.env.ofSecret" (dict "name" "ESCRIBA_SECRETS_KEY" "secret" (include "escriba.secretName" (dict "root" .root "from" $from)) "key" $from.key) }}
{{- end -}}

{{- define "escriba.env.demandToken" -}}
{{- $from := .root.Values.secrets.demandToken -}}
{{ include "escriba.env.ofSecret" (dict "name" "ESCRIBA_DEMAND_TOKEN" "secret" (include "escriba.secretName" (dict "root" .root "from" $from)) "key" $from.key) }}
{{- end -}}

{{- define "escriba.env.drainToken" -}}
{{- $from := .root.Values.secrets.drainToken -}}
{{ include "escriba.env.ofSecret" (dict "name" "ESCRIBA_DRAIN_TOKEN" "secret" (include "escriba.secretName" (dict "root" .root "from" $from)) "key" $from.key) }}
{{- end -}}

{{- define "escriba.env.objectStore" -}}
{{- with .root.Values.objectStore -}}
ESCRIBA_OBJECT_STORE: { value: {{ .url | quote }} }
{{- if and (hasPrefix "s3:" .url) (eq .credentials "keys") }}
{{- $secret := include "escriba.secretName" (dict "root" $.root "from" .) }}
{{ include "escriba.env.ofSecret" (dict "name" "AWS_ACCESS_KEY_ID" "secret" $secret "key" .accessKeyIdKey) }}
{{ include "escriba.env.ofSecret" (dict "name" "AWS_SECRET_ACCESS_KEY" "secret" $secret "key" .secretAccessKeyKey) }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "escriba.env.temporal" -}}
{{- with .root.Values.temporal -}}
ESCRIBA_TEMPORAL_ADDRESS: { value: {{ .address | quote }} }
ESCRIBA_TEMPORAL_NAMESPACE: { value: {{ .namespace | quote }} }
{{- if .tls.enabled }}
ESCRIBA_TEMPORAL_TLS: { value: "true" }
{{- with .tls.serverName }}
ESCRIBA_TEMPORAL_SERVER_NAME: { value: {{ . | quote }} }
{{- end }}
{{- if and .tls.existingSecret .tls.authority }}
ESCRIBA_TEMPORAL_CA_FILE: { value: /etc/escriba/temporal/ca.crt }
{{- end }}
{{- if and .tls.existingSecret .tls.clientCertificate }}
ESCRIBA_TEMPORAL_CERT_FILE: { value: /etc/escriba/temporal/tls.crt }
ESCRIBA_TEMPORAL_KEY_FILE: { value: /etc/escriba/temporal/tls.key }
{{- end }}
{{- end }}
{{- if .apiKey.enabled }}
{{ include "escriba.env.ofSecret" (dict "name" "ESCRIBA_TEMPORAL_API_KEY" "secret" (include "escriba.secretName" (dict "root" $.root "from" .apiKey)) "key" .apiKey.key) }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "escriba.env.temporalSetup" -}}
ESCRIBA_TEMPORAL_RETENTION_DAYS: { value: {{ int64 .root.Values.temporal.setup.retentionDays | quote }} }
{{- end -}}

{{- define "escriba.env.worker" -}}
ESCRIBA_QUEUES: { value: {{ .component | quote }} }
ESCRIBA_WORKFLOW_BUNDLE: { value: /app/workflows.bundle.js }
ESCRIBA_SCRATCH_DIR: { value: /scratch/work }
{{- end -}}

{{- define "escriba.env.extraCa" -}}
{{- if or .root.Values.ca.configMap .root.Values.ca.secret }}
ESCRIBA_EXTRA_CA_FILE: { value: /etc/escriba/ca/ca.crt }
{{- end }}
{{- end -}}

{{- define "escriba.env.upstreams" -}}
{{- $from := .root.Values.upstreams -}}
{{- if $from.fromSecret -}}
{{ include "escriba.env.ofSecret" (dict "name" "ESCRIBA_UPSTREAMS" "secret" (include "escriba.secretName" (dict "root" .root "from" $from)) "key" $from.key) }}
{{- else -}}
ESCRIBA_UPSTREAMS: { value: {{ include "escriba.upstreams" . | quote }} }
{{- end -}}
{{- end -}}

{{/* JSON of the servers: the language pool's, then the chart's own small ones, then `upstreams.servers` over both. */}}
{{- define "escriba.upstreams" -}}
{{- $values := .root.Values -}}
{{- $servers := dict -}}
{{- if $values.inference.enabled -}}
{{- $url := printf "http://%s-inference:8090/v1" (include "escriba.fullname" .root) -}}
{{- $chat := dict "url" $url "model" ($values.inference.gguf | base | trimSuffix ".gguf" | default "smollm2-135m-instruct") "context_window" (int64 $values.inference.window) "usage_in_chunks" true "structured_output" "json_schema" -}}
{{- if not $values.inference.gguf }}{{ $_ := set $chat "model" "smollm2-135m-instruct" }}{{ end -}}
{{- $_ := set $servers "service-llm-1-small" $chat -}}
{{- $_ := set $servers "service-llm-1-large" (deepCopy $chat) -}}
{{- $_ := set $servers "service-embed-1" (dict "url" $url "model" "all-minilm-l6-v2" "dimensions" 1024 "native_dimensions" 384) -}}
{{- end -}}
{{- if eq $values.language.mode "pool" -}}
{{- $host := printf "%s-language" (include "escriba.fullname" .root) -}}
{{- if eq .component "language" }}{{ $host = "127.0.0.1" }}{{ end -}}
{{- $server := merge (dict "url" (printf "http://%s:%d/v1" $host (int64 $values.language.server.port)) "model" $values.language.server.model) $values.language.server.options -}}
{{- range $values.language.server.serves }}{{ $_ := set $servers . (deepCopy $server) }}{{ end -}}
{{- end -}}
{{- mustToJson (mustMergeOverwrite $servers (deepCopy $values.upstreams.servers)) -}}
{{- end -}}

{{- define "escriba.env.modelsDir" -}}
ESCRIBA_MODELS_DIR: { value: /models }
{{- end -}}

{{- define "escriba.env.models" -}}
{{ include "escriba.env.modelsDir" . }}
ESCRIBA_OFFLINE: { value: {{ ne .root.Values.modelCache.prefetch "process" | quote }} }
{{- if eq .component "inference" }}
{{ include "escriba.env.hub" . }}
{{- end }}
{{- end -}}

{{- define "escriba.env.hub" -}}
{{- with .root.Values.modelCache.hub }}
ESCRIBA_MODELS_HUB: { value: {{ . | quote }} }
{{- end }}
{{- end -}}

{{/* Workers that run as Deployments, as JSON. */}}
{{- define "escriba.workerDeployments" -}}
{{- $names := list -}}
{{- range $name := list "transcripts" "webhooks" "fetch" -}}
{{- if (index $.Values $name).enabled }}{{ $names = append $names $name }}{{ end -}}
{{- end -}}
{{- if eq .Values.language.mode "external" }}{{ $names = append $names "language" }}{{ end -}}
{{- toJson $names -}}
{{- end -}}

{{/* Everything that runs as a Deployment, as JSON. */}}
{{- define "escriba.deployments" -}}
{{- $names := include "escriba.workerDeployments" . | fromJsonArray -}}
{{- range $name := list "api" "inference" "operator" -}}
{{- if (index $.Values $name).enabled }}{{ $names = append $names $name }}{{ end -}}
{{- end -}}
{{- toJson $names -}}
{{- end -}}

{{/* Everything that runs as a WorkerPool, as JSON. */}}
{{- define "escriba.pools" -}}
{{- $names := list -}}
{{- range $name := list "speech" "media" -}}
{{- if (index $.Values $name).enabled }}{{ $names = append $names $name }}{{ end -}}
{{- end -}}
{{- if eq .Values.language.mode "pool" }}{{ $names = append $names "language" }}{{ end -}}
{{- toJson $names -}}
{{- end -}}

{{/* Connections to PostgreSQL that all pods together may open: what max_connections, or a pooler, must allow. */}}
{{- define "escriba.connections" -}}
{{- $sum := 0 -}}
{{- range $name := list "api" "transcripts" "webhooks" -}}
{{- with index $.Values $name -}}
{{- if .enabled -}}
{{- $pods := int64 (ternary .autoscaling.maxReplicas .replicas .autoscaling.enabled) -}}
{{- $pool := int64 (get $.Values.database (printf "%sConnections" $name)) -}}
{{- /* A transcripts pod listens to the outbox on one more. */ -}}
{{- if eq $name "transcripts" }}{{ $pool = add $pool 1 }}{{ end -}}
{{- $sum = add $sum (mul $pods $pool) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $sum -}}
{{- end -}}

{{/* `true` where some model has a server. */}}
{{- define "escriba.hasUpstreams" -}}
{{- if or .Values.upstreams.fromSecret .Values.upstreams.servers .Values.inference.enabled (eq .Values.language.mode "pool") -}}
true
{{- end -}}
{{- end -}}

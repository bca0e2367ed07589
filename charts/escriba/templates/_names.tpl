{{/* Start of every object's name. At most 36 characters: a WorkerPool's name has 46, and the longest part behind it is 10. */}}
{{- define "escriba.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 36 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 36 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 36 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* What pods are selected by; never changes in the life of a release. Of: root, component (may be empty). */}}
{{- define "escriba.selectorLabels" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{/* Labels of an object; pods carry the selector's alone, so that a new chart version restarts nothing. */}}
{{- define "escriba.labels" -}}
{{ include "escriba.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/part-of: escriba
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end -}}

{{/* `metadata` of an object. Of: root, component, name (its end; empty for none), and values for labels and annotations. */}}
{{- define "escriba.metadata" -}}
name: {{ include "escriba.fullname" .root }}{{ with .name }}-{{ . }}{{ end }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "escriba.labels" . | nindent 2 }}
  {{- with (.values | default dict).labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with (.values | default dict).annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* A component's values over `defaults`, as YAML. Of: root, component. */}}
{{- define "escriba.values" -}}
{{- mustMergeOverwrite (deepCopy .root.Values.defaults) (deepCopy (index .root.Values .component)) | toYaml -}}
{{- end -}}

{{/* Of: root, component, values. */}}
{{- define "escriba.serviceAccountName" -}}
{{- if .values.serviceAccount.name -}}
{{- .values.serviceAccount.name -}}
{{- else if .values.serviceAccount.create -}}
{{- include "escriba.fullname" .root }}-{{ .component -}}
{{- else -}}
default
{{- end -}}
{{- end -}}

{{/* A Secret's name. Of: root, from (the part of the values that may name one). */}}
{{- define "escriba.secretName" -}}
{{- .from.existingSecret | default .root.Values.secrets.name -}}
{{- end -}}

{{/* An image's reference. Of: root, image (over `image`), variant (end of the tag). */}}
{{- define "escriba.image" -}}
{{- $image := mustMergeOverwrite (deepCopy .root.Values.image) (deepCopy (.image | default dict)) -}}
{{- $registry := .root.Values.global.imageRegistry | default $image.registry -}}
{{- $name := $image.repository -}}
{{- if $registry }}{{ $name = printf "%s/%s" (trimSuffix "/" $registry) $image.repository }}{{ end -}}
{{- if $image.digest -}}
{{- printf "%s@%s" $name $image.digest -}}
{{- else -}}
{{- printf "%s:%s" $name ($image.tag | default (printf "%s%s" .root.Chart.AppVersion (.variant | default ""))) -}}
{{- end -}}
{{- end -}}

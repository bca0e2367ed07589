{{/* The pod that fills the cache. Of: root, component, values, models. */}}
{{- define "escriba.modelsJob" -}}
metadata:
  labels:
    {{- include "escriba.selectorLabels" . | nindent 4 }}
spec:
  {{- include "escriba.podSettings" (merge (dict "restartPolicy" "OnFailure") .) | nindent 2 }}
  containers:
    - name: models
      {{- include "escriba.container" . | nindent 6 }}
      {{- include "escriba.fetchModels" (merge (dict "verb" "fetch") .) | nindent 6 }}
  volumes:
    {{- include "escriba.volumes" . | nindent 4 }}
{{- end -}}

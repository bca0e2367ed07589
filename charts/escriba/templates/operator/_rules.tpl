{{/* What the operator may do in a namespace that it watches. */}}
{{- define "escriba.operatorRules" -}}
- apiGroups: [escriba.dev]
  resources: [workerpools]
  verbs: [get, list, watch]
- apiGroups: [escriba.dev]
  resources: [workerpools/status, workerpools/scale]
  verbs: [update]
- apiGroups: [""]
  resources: [pods]
  verbs: [get, list, watch, create, delete, patch]
- apiGroups: [""]
  resources: [events]
  verbs: [create, patch]
# The tokens that pools name, and no other secret.
- apiGroups: [""]
  resources: [secrets]
  resourceNames: {{ include "escriba.tokenSecrets" . }}
  verbs: [get]
{{- end -}}

{{/* Names of the Secrets that pools' tokens are in, as JSON. */}}
{{- define "escriba.tokenSecrets" -}}
{{- $names := .Values.operator.tokenSecrets -}}
{{- range $from := list .Values.secrets.demandToken .Values.secrets.drainToken -}}
{{- $names = append $names (include "escriba.secretName" (dict "root" $ "from" $from)) -}}
{{- end -}}
{{- toJson ($names | uniq) -}}
{{- end -}}

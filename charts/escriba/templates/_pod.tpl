{{/*
`metadata` and `spec` of a pod that runs one role. Of:
root, component, values (merged);
args: what follows `escriba`; needs: of the environment; ports: name to number, `metrics` is probed;
token: true mounts the ServiceAccount's token; models: names of models on /models; scratch: an emptyDir source;
preStopSeconds; startupSeconds; restartPolicy; labels; extra: more containers, as a list.
*/}}
{{- define "escriba.pod" -}}
{{- $values := .values -}}
{{- $env := include "escriba.env" . -}}
{{- $secrets := include "escriba.secretsChecksum" (dict "root" .root "env" $env "needs" .needs) -}}
{{- $annotations := deepCopy $values.podAnnotations -}}
{{- with $secrets }}{{ $_ := set $annotations "checksum/secret" . }}{{ end -}}
{{- if $values.doNotDisrupt -}}
{{- $_ := set $annotations "cluster-autoscaler.kubernetes.io/safe-to-evict" "false" -}}
{{- $_ := set $annotations "karpenter.sh/do-not-disrupt" "true" -}}
{{- end -}}
metadata:
  labels:
    {{- include "escriba.selectorLabels" . | nindent 4 }}
    {{- with $values.kueueQueue }}
    kueue.x-k8s.io/queue-name: {{ . }}
    {{- end }}
    {{- with $values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with $annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- include "escriba.podSettings" . | nindent 2 }}
  {{- $init := include "escriba.initContainers" . }}
  {{- with $init }}
  initContainers:
    {{- . | nindent 4 }}
  {{- end }}
  containers:
    - name: {{ .component }}
      {{- include "escriba.container" . | nindent 6 }}
      args: {{ toJson .args }}
      env:
        {{- $env | trim | nindent 8 }}
      {{- with $values.extraEnvFrom }}
      envFrom:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .ports }}
      ports:
        {{- range $name, $port := . }}
        - { name: {{ $name }}, containerPort: {{ $port }}, protocol: TCP }
        {{- end }}
      {{- end }}
      {{- if .ports }}
      {{- $probe := ternary "metrics" "http" (hasKey .ports "metrics") }}
      # Until it is up, silence is no fault: models may be loading.
      startupProbe: { httpGet: { path: /livez, port: {{ $probe }} }, periodSeconds: 2, timeoutSeconds: 5, failureThreshold: {{ div (int64 (.startupSeconds | default 300)) 2 }} }
      livenessProbe: { httpGet: { path: /livez, port: {{ $probe }} }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }
      readinessProbe: { httpGet: { path: /readyz, port: {{ $probe }} }, periodSeconds: 5, timeoutSeconds: 5, failureThreshold: 2 }
      {{- end }}
      {{- with .preStopSeconds }}
      lifecycle: { preStop: { sleep: { seconds: {{ int64 . }} } } }
      {{- end }}
      resources:
        {{- toYaml $values.resources | nindent 8 }}
        {{- with $values.resourceClaims }}
        claims: [{{ range $i, $claim := . }}{{ if $i }}, {{ end }}{ name: {{ $claim.name }} }{{ end }}]
        {{- end }}
      volumeMounts:
        {{- include "escriba.volumeMounts" . | nindent 8 }}
    {{- with .extra }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
    {{- with $values.extraContainers }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  volumes:
    {{- include "escriba.volumes" . | nindent 4 }}
{{- end -}}

{{/* Image and security of a container of the project's own. */}}
{{- define "escriba.container" -}}
{{- $variant := ternary "-cuda" "" (hasPrefix "cuda" (.values.device | default "cpu")) -}}
image: {{ include "escriba.image" (dict "root" .root "image" .values.image "variant" $variant) | quote }}
imagePullPolicy: {{ .values.image.pullPolicy | default .root.Values.image.pullPolicy }}
command: [escriba]
{{- with .values.securityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* What a pod has besides containers and volumes. */}}
{{- define "escriba.podSettings" -}}
{{- $values := .values -}}
serviceAccountName: {{ include "escriba.serviceAccountName" . }}
automountServiceAccountToken: {{ .token | default false }}
# The environment of every Service in the namespace is nobody's setting.
enableServiceLinks: false
{{- with .root.Values.global.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.podSecurityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .restartPolicy }}
restartPolicy: {{ . }}
{{- end }}
{{- if $values.graceSeconds }}
# The process ends by itself within its grace; this is for one that does not.
terminationGracePeriodSeconds: {{ add (int64 $values.graceSeconds) (int64 (.preStopSeconds | default 0)) 30 }}
{{- end }}
{{- range $name := list "priorityClassName" "runtimeClassName" "schedulerName" "dnsPolicy" }}
{{- with get $values $name }}
{{ $name }}: {{ . }}
{{- end }}
{{- end }}
{{- range $name := list "dnsConfig" "hostAliases" "nodeSelector" "tolerations" "affinity" "resourceClaims" }}
{{- with get $values $name }}
{{ $name }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- if not .restartPolicy }}
topologySpreadConstraints:
  {{- with $values.topologySpreadConstraints }}
  {{- toYaml . | nindent 2 }}
  {{- else }}
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "escriba.selectorLabels" . | nindent 8 }}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "escriba.initContainers" -}}
{{- $prefetch := .root.Values.modelCache.prefetch -}}
{{- if and .models (has $prefetch (list "pod" "job")) }}
- name: models
  {{- include "escriba.container" . | nindent 2 }}
  {{- include "escriba.fetchModels" (merge (dict "verb" (ternary "fetch" "wait" (eq $prefetch "pod"))) .) | nindent 2 }}
{{- end }}
{{- with .values.extraInitContainers }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The rest of a container that fetches models, an init container's or a Job's, or that waits until a Job has. */}}
{{- define "escriba.fetchModels" -}}
args: {{ toJson (concat (list "models" .verb) .models) }}
env:
  {{- include "escriba.env" (dict "root" .root "component" .component "needs" (ternary (list "process" "modelsDir" "hub") (list "process" "modelsDir") (eq .verb "fetch")) "values" (dict "logLevel" .values.logLevel "settings" dict "extraEnv" (.values.extraEnv | default list))) | trim | nindent 2 }}
resources:
  {{- toYaml (ternary .root.Values.modelCache.fetchResources (dict "requests" (dict "cpu" "10m" "memory" "96Mi") "limits" (dict "memory" "192Mi")) (eq .verb "fetch")) | nindent 2 }}
volumeMounts:
  - { name: models, mountPath: /models{{ if eq .verb "wait" }}, readOnly: true{{ end }} }
  - { name: tmp, mountPath: /tmp }
  {{- if or .root.Values.ca.configMap .root.Values.ca.secret }}
  - { name: ca, mountPath: /etc/escriba/ca, readOnly: true }
  {{- end }}
{{- end -}}

{{/*
A hash over what the environment and the mounted Secrets hold, empty where that cannot be known. Of: root, env (text),
needs.
*/}}
{{- define "escriba.secretsChecksum" -}}
{{- if .root.Values.secrets.checksums -}}
{{- $root := .root -}}
{{- $parts := list -}}
{{- range fromYamlArray .env -}}
{{- with (.valueFrom | default dict).secretKeyRef -}}
{{- $secret := lookup "v1" "Secret" $root.Release.Namespace .name -}}
{{- if $secret }}{{ $parts = append $parts (printf "%s=%s" .key (get ($secret.data | default dict) .key)) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- $mounted := list $root.Values.ca.secret -}}
{{- if has "temporal" .needs }}{{ $mounted = append $mounted $root.Values.temporal.tls.existingSecret }}{{ end -}}
{{- range compact $mounted -}}
{{- $secret := lookup "v1" "Secret" $root.Release.Namespace . -}}
{{- if $secret }}{{ $parts = append $parts (toJson $secret.data) }}{{ end -}}
{{- end -}}
{{- if $parts }}{{ join "\n" $parts | sha256sum }}{{ end -}}
{{- end -}}
{{- end -}}

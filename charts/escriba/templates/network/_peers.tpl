{{/*
One egress rule. Of: root, peers (as NetworkPolicy peers, `{public: true}` among them), ports (list of numbers; empty
means all), components (more peers: pods of this release).
*/}}
{{- define "escriba.egress" -}}
{{- if or .peers .components }}
- to:
    {{- include "escriba.peers" . | trim | nindent 4 }}
  {{- with .ports }}
  ports:
    {{- range . }}
    - { protocol: TCP, port: {{ int64 . }} }
    {{- end }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* The list of peers. Of: root, peers, components. */}}
{{- define "escriba.peers" -}}
{{- $root := .root -}}
{{- range .peers }}
{{- if .public }}
- ipBlock: { cidr: 0.0.0.0/0, except: {{ toJson $root.Values.networkPolicy.privateNetworks }} }
# All of IPv6 that is handed out; the API server takes no mapped addresses as an exception.
- ipBlock: { cidr: "2000::/3", except: {{ toJson $root.Values.networkPolicy.privateNetworks6 }} }
{{- else }}
- {{ toJson . }}
{{- end }}
{{- end }}
{{- range .components }}
- podSelector:
    matchLabels:
      {{- include "escriba.selectorLabels" (dict "root" $root "component" .) | nindent 6 }}
{{- end }}
{{- end -}}

{{- define "escriba.temporalPort" -}}
{{- regexFind "[0-9]+$" .Values.temporal.address | default "7233" -}}
{{- end -}}

{{- define "escriba.objectStorePort" -}}
{{- $endpoint := regexFind "endpoint=[^&]+" .Values.objectStore.url | replace "%3A" ":" | replace "%2F" "/" -}}
{{- $port := regexFind ":[0-9]+" $endpoint | trimPrefix ":" -}}
{{- .Values.objectStore.port | default $port | default (ternary 80 443 (contains "=http:" $endpoint)) -}}
{{- end -}}

{{/* What a component may reach, by service. Of: root, component. */}}
{{- define "escriba.egressRules" -}}
{{- $root := .root -}}
{{- $c := .component -}}
{{- $policy := $root.Values.networkPolicy -}}
{{- $to := dict
  "api" (list "database" "objectStore" "upstreams")
  "transcripts" (list "temporal" "database" "objectStore")
  "webhooks" (list "temporal" "database" "objectStore" "internet" "mail")
  "fetch" (list "temporal" "objectStore" "internet")
  "language" (list "temporal" "objectStore" "upstreams")
  "speech" (list "temporal" "objectStore" "models")
  "media" (list "temporal" "objectStore" "models")
  "inference" (list "models")
  "operator" (list "kubernetesApi" "pools")
  "migrate" (list "database" "temporal")
  "models" (list "hub")
  "crds" (list "kubernetesApi")
  "doctor" (list "temporal" "database" "objectStore" "upstreams") -}}
- to:
    {{- include "escriba.peers" (dict "root" $root "peers" $policy.dns) | trim | nindent 4 }}
  ports: [{ protocol: UDP, port: 53 }, { protocol: TCP, port: 53 }]
{{- range get $to $c }}
{{- if eq . "database" }}
{{- include "escriba.egress" (dict "root" $root "peers" $policy.database "ports" (list $root.Values.database.port)) }}
{{- else if eq . "temporal" }}
{{- include "escriba.egress" (dict "root" $root "peers" $policy.temporal "ports" (list (include "escriba.temporalPort" $root))) }}
{{- else if and (eq . "objectStore") (hasPrefix "s3:" $root.Values.objectStore.url) }}
{{- include "escriba.egress" (dict "root" $root "peers" $policy.objectStore "ports" (list (include "escriba.objectStorePort" $root))) }}
{{- else if eq . "upstreams" }}
{{- include "escriba.egress" (dict "root" $root "peers" $policy.upstreams "ports" $root.Values.upstreams.ports) }}
{{- if $root.Values.inference.enabled }}
{{- include "escriba.egress" (dict "root" $root "peers" list "components" (list "inference") "ports" (list 8090)) }}
{{- end }}
{{- if and (eq $root.Values.language.mode "pool") (ne $c "language") }}
{{- include "escriba.egress" (dict "root" $root "peers" list "components" (list "language") "ports" (list $root.Values.language.server.port)) }}
{{- end }}
{{- else if eq . "internet" }}
{{- $own := list (dict "public" true) }}
{{- range (index $root.Values $c).networks }}{{ $own = append $own (dict "ipBlock" (dict "cidr" .)) }}{{ end }}
{{- include "escriba.egress" (dict "root" $root "peers" $own) }}
{{- else if and (eq . "mail") $root.Values.mail.enabled }}
{{- include "escriba.egress" (dict "root" $root "peers" $policy.mail "ports" (list $root.Values.mail.port)) }}
{{- else if or (eq . "hub") (and (eq . "models") (has $root.Values.modelCache.prefetch (list "pod" "process"))) }}
{{- include "escriba.egress" (dict "root" $root "peers" $policy.modelHub "ports" (list 443)) }}
{{- else if eq . "kubernetesApi" }}
{{- $any := list (dict "ipBlock" (dict "cidr" "0.0.0.0/0" "except" (list "169.254.0.0/16"))) (dict "ipBlock" (dict "cidr" "::/0" "except" (list "fe80::/10"))) }}
{{- include "escriba.egress" (dict "root" $root "peers" ($policy.kubernetesApi | default $any) "ports" (list 443 6443)) }}
{{- else if eq . "pools" }}
{{- include "escriba.egress" (dict "root" $root "peers" (list (dict "namespaceSelector" dict "podSelector" (dict "matchExpressions" (list (dict "key" "escriba.dev/pool" "operator" "Exists"))))) "components" (list "api") "ports" (list 9464)) }}
{{- end }}
{{- end }}
{{- if and $root.Values.tracing.endpoint (has $c (list "api" "transcripts" "webhooks" "fetch" "language" "speech" "media")) }}
{{- include "escriba.egress" (dict "root" $root "peers" $policy.tracing "ports" (list (regexFind ":[0-9]+" (trimPrefix "https:" (trimPrefix "http:" $root.Values.tracing.endpoint)) | trimPrefix ":" | default (ternary 443 80 (hasPrefix "https:" $root.Values.tracing.endpoint))))) }}
{{- end }}
{{- with $policy.extraEgress }}
{{ toYaml . }}
{{- end }}
{{- end -}}

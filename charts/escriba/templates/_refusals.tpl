{{/* What the schema cannot say: values that do not go together. Each refusal names the value to change. */}}
{{- define "escriba.refusals" -}}
{{- $v := .Values -}}
{{- $wrong := list -}}
{{- $file := hasPrefix "file:" $v.objectStore.url -}}
{{- if and $file (not $v.objectStore.volume) (not $v.objectStore.claim.enabled) -}}
{{- $wrong = append $wrong "objectStore.url is a file:// directory: give the volume in objectStore.volume, or set objectStore.claim.enabled" -}}
{{- end -}}
{{- if and $v.objectStore.volume $v.objectStore.claim.enabled -}}
{{- $wrong = append $wrong "objectStore.volume and objectStore.claim.enabled exclude each other" -}}
{{- end -}}
{{- if and (not $file) (or $v.objectStore.volume $v.objectStore.claim.enabled) -}}
{{- $wrong = append $wrong "objectStore.volume and objectStore.claim are for a file:// objectStore.url" -}}
{{- end -}}
{{- if and $v.temporal.apiKey.enabled (not $v.temporal.tls.enabled) -}}
{{- $wrong = append $wrong "temporal.apiKey.enabled needs temporal.tls.enabled: the key must not travel in the clear" -}}
{{- end -}}
{{- if and $v.temporal.tls.existingSecret (not $v.temporal.tls.enabled) -}}
{{- $wrong = append $wrong "temporal.tls.existingSecret has no effect without temporal.tls.enabled" -}}
{{- end -}}
{{- if and $v.ca.configMap $v.ca.secret -}}
{{- $wrong = append $wrong "ca.configMap and ca.secret exclude each other" -}}
{{- end -}}
{{- if and $v.upstreams.fromSecret $v.upstreams.servers -}}
{{- $wrong = append $wrong "upstreams.servers has no effect with upstreams.fromSecret" -}}
{{- end -}}
{{- if and $v.inference.enabled $v.inference.authenticate (not $v.upstreams.fromSecret) -}}
{{- $wrong = append $wrong "inference.authenticate needs upstreams.fromSecret: the API must know the token too" -}}
{{- end -}}
{{- range $name := list "api" "transcripts" "webhooks" "fetch" -}}
{{- with (index $v $name).autoscaling -}}
{{- if and .enabled (gt (int64 .minReplicas) (int64 .maxReplicas)) -}}
{{- $wrong = append $wrong (printf "%s.autoscaling.minReplicas is more than maxReplicas" $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $name := list "speech" "media" "language" -}}
{{- with (index $v $name).scaling -}}
{{- if gt (int64 .minReplicas) (int64 .maxReplicas) -}}
{{- $wrong = append $wrong (printf "%s.scaling.minReplicas is more than maxReplicas" $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if eq $v.language.mode "pool" -}}
{{- if not $v.language.server.image.repository -}}
{{- $wrong = append $wrong "language.server.image.repository names the model server's image; language.mode pool needs it" -}}
{{- end -}}
{{- if not $v.language.server.model -}}
{{- $wrong = append $wrong "language.server.model is the server's own name for the model; language.mode pool needs it" -}}
{{- end -}}
{{- if lt (int64 $v.language.scaling.minReplicas) 1 -}}
{{- $wrong = append $wrong "language.scaling.minReplicas must be at least 1: chat is answered by the pool's pods" -}}
{{- end -}}
{{- end -}}
{{- with $v.modelCache -}}
{{- if and (eq .prefetch "job") (ne .type "claim") -}}
{{- $wrong = append $wrong (printf "modelCache.prefetch job fills a claim, and modelCache.type is %s" .type) -}}
{{- end -}}
{{- if and (eq .type "image") (not .image.reference) -}}
{{- $wrong = append $wrong "modelCache.image.reference names the image of models; modelCache.type image needs it" -}}
{{- end -}}
{{- if and (eq .type "image") (ne .prefetch "never") -}}
{{- $wrong = append $wrong (printf "modelCache.type image cannot be written: set modelCache.prefetch to never (it is %s)" .prefetch) -}}
{{- end -}}
{{- if and (eq .type "emptyDir") (eq .prefetch "never") -}}
{{- $wrong = append $wrong "modelCache.type emptyDir begins empty: modelCache.prefetch never leaves the workers without models" -}}
{{- end -}}
{{- end -}}
{{- if and $v.operator.clusterWide $v.operator.watchNamespaces -}}
{{- $wrong = append $wrong "operator.watchNamespaces has no effect with operator.clusterWide" -}}
{{- end -}}
{{- if and $v.api.ingress.enabled (not $v.api.ingress.hosts) -}}
{{- $wrong = append $wrong "api.ingress.hosts is empty: api.ingress.enabled needs one" -}}
{{- end -}}
{{- if and $v.api.httpRoute.enabled (not $v.api.httpRoute.parentRefs) -}}
{{- $wrong = append $wrong "api.httpRoute.parentRefs is empty: api.httpRoute.enabled needs a gateway" -}}
{{- end -}}
{{- if $wrong -}}
{{- fail (printf "\n\nThese values do not go together:\n  - %s\n" (join "\n  - " $wrong)) -}}
{{- end -}}
{{- end -}}

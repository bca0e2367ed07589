{{/* The container that serves the language model beside its worker, as a list. Of: root, component, values. */}}
{{- define "escriba.modelServer" -}}
{{- $server := .values.server | default dict -}}
{{- if $server.image -}}
- name: model-server
  image: {{ include "escriba.image" (dict "root" .root "image" (merge (deepCopy $server.image) (dict "registry" "" "tag" "latest" "digest" ""))) | quote }}
  imagePullPolicy: {{ $server.image.pullPolicy | default .root.Values.image.pullPolicy }}
  securityContext:
    {{- toYaml (mustMergeOverwrite (deepCopy .values.securityContext) (deepCopy $server.securityContext)) | nindent 4 }}
  {{- with $server.command }}
  command:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $server.args }}
  args:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  env:
    - { name: HOME, value: /tmp }
    {{- with $server.env }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  ports:
    - { name: model, containerPort: {{ int64 $server.port }}, protocol: TCP }
  startupProbe: { httpGet: { path: {{ $server.readinessPath }}, port: model }, periodSeconds: 5, timeoutSeconds: 5, failureThreshold: {{ div (int64 $server.startupSeconds) 5 }} }
  livenessProbe: { httpGet: { path: {{ $server.readinessPath }}, port: model }, periodSeconds: 20, timeoutSeconds: 10, failureThreshold: 6 }
  readinessProbe: { httpGet: { path: {{ $server.readinessPath }}, port: model }, periodSeconds: 5, timeoutSeconds: 5 }
  {{- with $server.resources }}
  resources:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  volumeMounts:
    - { name: model-server, mountPath: /tmp }
    {{- if $server.sharedMemory }}
    - { name: model-server-shm, mountPath: /dev/shm }
    {{- end }}
    {{- with $server.volumeMounts }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}
{{- end -}}

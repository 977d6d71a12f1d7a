{{- define "abacus.labels" -}}
app.kubernetes.io/name: abacus
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}

{{- define "abacus.selector" -}}
app.kubernetes.io/name: abacus
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "abacus.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "abacus.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: ["ALL"]
{{- end }}

{{- define "abacus.probes" -}}
startupProbe:
  httpGet: { path: /health/live, port: metrics }
  periodSeconds: 5
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /health/live, port: metrics }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /health/ready, port: metrics }
  periodSeconds: 10
  timeoutSeconds: 5
{{- end }}

{{- define "abacus.environment" -}}
- name: POD_NAME
  valueFrom:
    fieldRef: { fieldPath: metadata.name }
{{- with .Values.kafka.schemaRegistryUrl }}
- name: ABACUS_SCHEMA_REGISTRY_URL
  value: {{ . | quote }}
{{- end }}
{{- end }}

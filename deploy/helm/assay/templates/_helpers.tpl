{{/* The name everything of this release begins with. */}}
{{- define "assay.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{/* The image: by its digest if there is one. */}}
{{- define "assay.image" -}}
{{- with .Values.image -}}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{ end -}}
{{- end -}}
{{- end }}

{{/* Labels that select the pods of one role. Takes (dict "root" $ "role" NAME). */}}
{{- define "assay.selector" -}}
app.kubernetes.io/name: assay
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{/* All labels. Takes (dict "root" $ "role" NAME). */}}
{{- define "assay.labels" -}}
{{ include "assay.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{/* What the restricted pod security standard asks of a pod. */}}
{{- define "assay.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65534
runAsGroup: 65534
fsGroup: 65534
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{/* The container of a process. Takes (dict "root" $ "role" NAME). */}}
{{- define "assay.container" -}}
name: assay
image: {{ include "assay.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
args: [{{ .role | quote }}]
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: data
    mountPath: /data
  - name: secrets
    mountPath: /run/secrets/assay
    readOnly: true
env:
  - name: DATABASE_URL_FILE
    value: /run/secrets/assay/database-url
  - name: REDIS_URL_FILE
    value: /run/secrets/assay/redis-url
  {{- if eq .role "api" }}
  - name: SIGNING_KEY_FILE
    value: /run/secrets/assay/signing-keys.json
  {{- end }}
  - name: PUBLIC_URL
    value: {{ .root.Values.publicUrl | quote }}
  - name: TRUST_PROXY
    value: {{ .root.Values.trustProxy | quote }}
  - name: METRICS_PORT
    value: "9090"
  {{- if .root.Values.archives.url }}
  - name: ARCHIVE_URL
    value: {{ .root.Values.archives.url | quote }}
  - name: AWS_REGION
    value: {{ .root.Values.archives.region | quote }}
  {{- if .root.Values.archives.endpoint }}
  - name: S3_ENDPOINT
    value: {{ .root.Values.archives.endpoint | quote }}
  {{- end }}
  {{- if ne .role "stream" }}
  - name: AWS_ACCESS_KEY_ID_FILE
    value: /run/secrets/assay/aws-access-key-id
  - name: AWS_SECRET_ACCESS_KEY_FILE
    value: /run/secrets/assay/aws-secret-access-key
  {{- end }}
  {{- else }}
  - name: DISABLE
    value: download
  {{- end }}
  {{- range $name, $value := .root.Values.settings }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
{{- end }}

{{/* The volumes of a process: nothing in /data outlives it, and of the Secret it sees its own role's addresses alone. */}}
{{- define "assay.volumes" -}}
- name: data
  emptyDir:
    sizeLimit: 256Mi
- name: secrets
  secret:
    secretName: {{ .root.Values.secret }}
    defaultMode: 0440
    items:
      - key: {{ if eq .role "migrate" }}owner{{ else }}{{ .role }}{{ end }}-database-url
        path: database-url
      {{- if ne .role "migrate" }}
      - key: {{ .role }}-redis-url
        path: redis-url
      {{- end }}
      {{- if eq .role "api" }}
      - key: signing-keys
        path: signing-keys.json
      {{- end }}
      {{- if and .root.Values.archives.url (or (eq .role "api") (eq .role "writer")) }}
      - key: aws-access-key-id
        path: aws-access-key-id
      - key: aws-secret-access-key
        path: aws-secret-access-key
      {{- end }}
{{- end }}

{{/* A Deployment and its disruption budget. Takes (dict "root" $ "role" NAME "listens" BOOL). */}}
{{- define "assay.workload" -}}
{{- $values := index .root.Values .role }}
{{- $scaled := dig "autoscaling" "enabled" false $values }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "assay.name" .root }}-{{ .role }}
  labels:
    {{- include "assay.labels" . | nindent 4 }}
spec:
  {{- if not $scaled }}
  replicas: {{ $values.replicas }}
  {{- end }}
  # A new pod answers before an old one goes.
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
  selector:
    matchLabels:
      {{- include "assay.selector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "assay.labels" . | nindent 8 }}
      {{- with .root.Values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ .root.Values.terminationGracePeriodSeconds }}
      securityContext:
        {{- include "assay.podSecurity" . | nindent 8 }}
      {{- with .root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "assay.selector" . | nindent 14 }}
      containers:
        - {{- include "assay.container" . | nindent 10 }}
          resources:
            {{- toYaml $values.resources | nindent 12 }}
          ports:
            {{- if .listens }}
            - name: http
              containerPort: 8080
            {{- end }}
            - name: metrics
              containerPort: 9090
          {{- if .listens }}
          lifecycle:
            preStop:
              exec:
                command: [node, -e, "setTimeout(() => {}, {{ mul .root.Values.preStopSeconds 1000 }})"]
          {{- end }}
          # Ready once it is migrated, attached to the bus and has a first price; no longer while it drains.
          startupProbe:
            httpGet: { path: /live, port: metrics }
            periodSeconds: 2
            failureThreshold: 60
          readinessProbe:
            httpGet: { path: /ready, port: metrics }
            periodSeconds: 3
            failureThreshold: 2
          livenessProbe:
            httpGet: { path: /live, port: metrics }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 3
      volumes:
        {{- include "assay.volumes" . | nindent 8 }}
      {{- with .root.Values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .root.Values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "assay.name" .root }}-{{ .role }}
  labels:
    {{- include "assay.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- include "assay.selector" . | nindent 6 }}
{{- if $scaled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "assay.name" .root }}-{{ .role }}
  labels:
    {{- include "assay.labels" . | nindent 4 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "assay.name" .root }}-{{ .role }}
  minReplicas: {{ $values.autoscaling.minReplicas }}
  maxReplicas: {{ $values.autoscaling.maxReplicas }}
  # Streams that move reconnect: better a pod too many for a while.
  behavior:
    scaleDown:
      stabilizationWindowSeconds: 600
      policies:
        - type: Pods
          value: 1
          periodSeconds: 120
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ $values.autoscaling.cpuPercent }}
    {{- if gt (int (dig "autoscaling" "connections" 0 $values)) 0 }}
    - type: Pods
      pods:
        metric:
          name: {{ $values.autoscaling.connectionsMetric }}
        target:
          type: AverageValue
          averageValue: {{ $values.autoscaling.connections | quote }}
    {{- end }}
{{- end }}
{{- if .listens }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ include "assay.name" .root }}-{{ .role }}
  labels:
    {{- include "assay.labels" . | nindent 4 }}
spec:
  selector:
    {{- include "assay.selector" . | nindent 4 }}
  ports:
    - name: http
      port: 80
      targetPort: http
{{- end }}
{{- end }}

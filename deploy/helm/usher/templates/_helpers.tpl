{{- define "usher.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "usher.labels" -}}
app.kubernetes.io/name: usher
app.kubernetes.io/instance: {{ .Release.Name }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* What selects the gateways, and nothing else of the release. */}}
{{- define "usher.selector" -}}
app.kubernetes.io/name: usher
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: gateway
{{- end }}

{{- define "usher.redis.selector" -}}
app.kubernetes.io/name: usher
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: redis
{{- end }}

{{/* Containers may do what they must. */}}
{{- define "usher.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "usher.image" -}}
{{- with .Values.image -}}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{/* usher.yaml. */}}
{{- define "usher.config" -}}
{{- if and (not .Values.config.issuer) (not .Values.config.issuers) }}
{{- $_ := required "config.issuer is missing: the public address of Usher, https://queue.example.com" .Values.config.issuer }}
{{- end }}
{{- $config := .Values.config }}
{{- if .Values.config.issuers }}{{ $config = omit $config "issuer" }}{{ end }}
{{- toYaml $config }}
{{- end }}

{{/* The hosts of all issuers, as a list in JSON. */}}
{{- define "usher.hosts" -}}
{{- $issuers := list .Values.config.issuer }}
{{- with .Values.config.issuers }}{{ $issuers = list }}{{ range . }}{{ $issuers = append $issuers .issuer }}{{ end }}{{ end }}
{{- $hosts := list }}
{{- range $issuers }}{{ $hosts = append $hosts (regexReplaceAll ":[0-9]+$" (urlParse .).host "") }}{{ end }}
{{- toJson ($hosts | uniq) }}
{{- end }}

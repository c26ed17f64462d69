{{- define "relt.name" -}}
{{ default .Release.Name .Values.nameOverride | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "relt.serverName" -}}
{{ include "relt.name" . }}-server
{{- end }}

{{- define "relt.agentName" -}}
{{ include "relt.name" . }}-agent
{{- end }}

{{- /* A ClusterRole has no namespace: two releases of one name must not share it. */}}
{{- define "relt.clusterRoleName" -}}
{{ .Release.Namespace }}-{{ include "relt.agentName" . }}
{{- end }}

{{- define "relt.labels" -}}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: relt
{{- end }}

{{- define "relt.serverSelector" -}}
app.kubernetes.io/name: relt-server
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- /* Takes a list: the image, and the version that stands for no tag. */}}
{{- define "relt.image" -}}
{{- $image := index . 0 -}}
{{- if $image.digest -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ default (index . 1) $image.tag }}
{{- end -}}
{{- end }}

{{- /* A pod monitor needs a port that other pods reach. */}}
{{- define "relt.checkPodMonitor" -}}
{{- $agent := .Values.agent -}}
{{- if and $agent.enabled $agent.podMonitor.enabled -}}
{{- if eq $agent.form "cronjob" }}{{ fail "agent.podMonitor is for the form deployment: a job ends before it is scraped" }}{{ end -}}
{{- if or (not $agent.config.health_port) (has (default "127.0.0.1" $agent.config.health_host) (list "127.0.0.1")) -}}
{{- fail "agent.podMonitor needs health_port: 9464 and health_host: 0.0.0.0 in agent.config" -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- /* What the jobs read: profile, or the operators whose reports they collect. */}}
{{- define "relt.agentSources" -}}
{{- $sources := list -}}
{{- range .Values.agent.config.jobs -}}
{{- if hasKey . "profile" -}}{{- $sources = append $sources "profile" -}}{{- end -}}
{{- if hasKey . "collect" -}}{{- $sources = append $sources .collect -}}{{- end -}}
{{- if .deprecated_apis -}}{{- $sources = append $sources "deprecated_apis" -}}{{- end -}}
{{- end -}}
{{- $sources | uniq | toJson -}}
{{- end }}

{{- define "relt.name" -}}
{{ default .Release.Name .Values.nameOverride | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "relt.serverName" -}}
{{ include "relt.partName" (dict "root" . "part" "server") }}
{{- end }}

{{- define "relt.agentName" -}}
{{ include "relt.partName" (dict "root" . "part" "agent") }}
{{- end }}

{{- /* Two releases of one name, each in its namespace, must not share a ClusterRole, or a Role elsewhere. */}}
{{- define "relt.roleName" -}}
{{ .Release.Namespace }}-{{ include "relt.agentName" . }}
{{- end }}

{{- /* Takes a dict: root, and part (server or agent). */}}
{{- define "relt.partName" -}}
{{ include "relt.name" .root }}-{{ .part }}
{{- end }}

{{- /* Takes a dict: root, and part. Never changes: the selector of a Deployment cannot. */}}
{{- define "relt.selector" -}}
app.kubernetes.io/name: relt-{{ .part }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
{{- if eq .part "agent" }}
app.kubernetes.io/part-of: relt
{{- end }}
{{- end }}

{{- /* Takes a dict: root, part, and labels and annotations beside those of all objects. The labels of the chart win. */}}
{{- define "relt.labelsAndAnnotations" -}}
{{- $chart := .root.Chart -}}
labels:
  {{- $version := dict "helm.sh/chart" (printf "%s-%s" $chart.Name ($chart.Version | replace "+" "_")) "app.kubernetes.io/version" $chart.AppVersion }}
  {{- $owner := dict "app.kubernetes.io/managed-by" .root.Release.Service "app.kubernetes.io/part-of" "relt" }}
  {{- merge (include "relt.selector" . | fromYaml) $version $owner (default dict .labels) .root.Values.commonLabels | toYaml | nindent 2 }}
{{- with merge (dict) (default dict .annotations) .root.Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* Takes the same dict, and a name and a namespace that are not the usual ones; "" is an object without a namespace. */}}
{{- define "relt.metadata" -}}
name: {{ default (include "relt.partName" .) .name }}
{{- with ternary .namespace .root.Release.Namespace (hasKey . "namespace") }}
namespace: {{ . | quote }}
{{- end }}
{{ include "relt.labelsAndAnnotations" . }}
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

{{- /* Mistakes in the values of the agent that its schema cannot find. */}}
{{- define "relt.checkAgent" -}}
{{- $agent := .Values.agent -}}
{{- if $agent.podMonitor.enabled -}}
{{- if eq $agent.form "cronjob" }}{{ fail "agent.podMonitor is for the form deployment: a job ends before it is scraped" }}{{ end -}}
{{- if or (not $agent.config.health_port) (has (default "127.0.0.1" $agent.config.health_host) (list "127.0.0.1")) -}}
{{- fail "agent.podMonitor needs health_port: 9464 and health_host: 0.0.0.0 in agent.config" -}}
{{- end -}}
{{- end -}}
{{- if not (or $agent.secretName (has "RELT_SERVER" (include "relt.agentEnvNames" . | fromJsonArray))) -}}
{{- range $agent.config.jobs -}}
{{- if not .server -}}
{{- fail (printf "agent.secretName is needed: the secret with RELT_SERVER, RELT_USERNAME and RELT_PASSWORD. To store reports of the job %s in the volume of the agent, set server: local in the job" .name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if $agent.rbac.namespaces -}}
{{- range include "relt.agentRules" . | fromYamlArray -}}
{{- if .nonResourceURLs -}}
{{- fail "agent.rbac.namespaces allows no paths such as /metrics: remove deprecated_apis from the jobs, and nonResourceURLs from agent.extraRules" -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- define "relt.agentEnvNames" -}}
{{- $names := list -}}
{{- range .Values.agent.env }}{{ $names = append $names .name }}{{ end -}}
{{- $names | toJson -}}
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

{{- /* Parts that the pods of the server and the agent share. Each takes a dict: root, and part (server or agent). */}}

{{- define "relt.podFields" -}}
{{- $values := index .root.Values .part -}}
serviceAccountName: {{ include "relt.partName" . }}
terminationGracePeriodSeconds: 30
{{- with $values.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  {{- if not $values.openshift }}
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  fsGroupChangePolicy: OnRootMismatch
  {{- end }}
  seccompProfile:
    type: RuntimeDefault
{{- with $values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "relt.containerFields" -}}
{{- $values := index .root.Values .part -}}
image: {{ include "relt.image" (list $values.image .root.Chart.AppVersion) | quote }}
imagePullPolicy: {{ $values.image.pullPolicy }}
resources:
  {{- toYaml $values.resources | nindent 2 }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end }}

{{- define "relt.env" -}}
- name: RELT_HOME
  value: /data
- name: RELT_KEYCHAIN
  value: 'off'
- name: HOME
  value: /tmp
{{- end }}

{{- define "relt.serviceAccount" -}}
{{- $account := (index .root.Values .part).serviceAccount -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  {{- include "relt.metadata" (merge (dict "labels" $account.labels "annotations" $account.annotations) .) | nindent 2 }}
automountServiceAccountToken: false
{{- end }}

{{- /* The volume outlives the release: it has reports, uploads that wait, and the keys that open them. */}}
{{- define "relt.volumeClaim" -}}
{{- $persistence := (index .root.Values .part).persistence -}}
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  {{- include "relt.metadata" (merge (dict "annotations" (dict "helm.sh/resource-policy" "keep")) .) | nindent 2 }}
spec:
  accessModes: [ReadWriteOnce]
  {{- with $persistence.storageClassName }}
  storageClassName: {{ . | quote }}
  {{- end }}
  resources:
    requests:
      storage: {{ $persistence.size | quote }}
{{- end }}

{{- /* Written by `npm run docs` from `src/agent/units/rbac.ts`. */}}
{{- define "relt.agentRules" -}}
{{- $sources := include "relt.agentSources" . | fromJsonArray }}
{{- if has "profile" $sources }}
- apiGroups:
    - argoproj.io
  resources:
    - applications
    - applicationsets
  verbs:
    - list
- apiGroups:
    - helm.cattle.io
  resources:
    - helmcharts
  verbs:
    - list
- apiGroups:
    - helm.toolkit.fluxcd.io
  resources:
    - helmreleases
  verbs:
    - list
- apiGroups:
    - kustomize.toolkit.fluxcd.io
  resources:
    - kustomizations
  verbs:
    - list
- apiGroups:
    - source.toolkit.fluxcd.io
  resources:
    - gitrepositories
    - helmcharts
    - helmrepositories
    - ocirepositories
  verbs:
    - list
- apiGroups:
    - ""
  resources:
    - configmaps
    - endpoints
    - events
    - limitranges
    - namespaces
    - nodes
    - persistentvolumeclaims
    - persistentvolumes
    - pods
    - replicationcontrollers
    - resourcequotas
    - serviceaccounts
    - services
  verbs:
    - list
- apiGroups:
    - admissionregistration.k8s.io
  resources:
    - mutatingwebhookconfigurations
    - validatingadmissionpolicies
    - validatingadmissionpolicybindings
    - validatingwebhookconfigurations
  verbs:
    - list
- apiGroups:
    - apiextensions.k8s.io
  resources:
    - customresourcedefinitions
  verbs:
    - list
- apiGroups:
    - apiregistration.k8s.io
  resources:
    - apiservices
  verbs:
    - list
- apiGroups:
    - apps
  resources:
    - daemonsets
    - deployments
    - replicasets
    - statefulsets
  verbs:
    - list
- apiGroups:
    - autoscaling
  resources:
    - horizontalpodautoscalers
  verbs:
    - list
- apiGroups:
    - autoscaling.k8s.io
  resources:
    - verticalpodautoscalers
  verbs:
    - list
- apiGroups:
    - batch
  resources:
    - cronjobs
    - jobs
  verbs:
    - list
- apiGroups:
    - certificates.k8s.io
  resources:
    - certificatesigningrequests
  verbs:
    - list
- apiGroups:
    - discovery.k8s.io
  resources:
    - endpointslices
  verbs:
    - list
- apiGroups:
    - gateway.networking.k8s.io
  resources:
    - gatewayclasses
    - gateways
    - httproutes
  verbs:
    - list
- apiGroups:
    - metrics.k8s.io
  resources:
    - nodes
  verbs:
    - list
- apiGroups:
    - networking.k8s.io
  resources:
    - ingressclasses
    - ingresses
    - networkpolicies
  verbs:
    - list
- apiGroups:
    - policy
  resources:
    - poddisruptionbudgets
  verbs:
    - list
- apiGroups:
    - rbac.authorization.k8s.io
  resources:
    - clusterrolebindings
    - clusterroles
    - rolebindings
    - roles
  verbs:
    - list
- apiGroups:
    - storage.k8s.io
  resources:
    - storageclasses
  verbs:
    - list
{{- end }}
{{- if has "trivy-operator" $sources }}
- apiGroups:
    - ""
  resources:
    - namespaces
    - nodes
    - pods
    - replicationcontrollers
  verbs:
    - list
- apiGroups:
    - apiextensions.k8s.io
  resources:
    - customresourcedefinitions
  verbs:
    - list
- apiGroups:
    - apps
  resources:
    - deployments
    - replicasets
    - statefulsets
    - daemonsets
  verbs:
    - list
- apiGroups:
    - batch
  resources:
    - cronjobs
    - jobs
  verbs:
    - list
- apiGroups:
    - argoproj.io
  resources:
    - applications
    - applicationsets
  verbs:
    - list
- apiGroups:
    - helm.cattle.io
  resources:
    - helmcharts
  verbs:
    - list
- apiGroups:
    - helm.toolkit.fluxcd.io
  resources:
    - helmreleases
  verbs:
    - list
- apiGroups:
    - kustomize.toolkit.fluxcd.io
  resources:
    - kustomizations
  verbs:
    - list
- apiGroups:
    - source.toolkit.fluxcd.io
  resources:
    - gitrepositories
    - helmcharts
    - helmrepositories
    - ocirepositories
  verbs:
    - list
- apiGroups:
    - aquasecurity.github.io
  resources:
    - vulnerabilityreports
    - configauditreports
    - exposedsecretreports
    - rbacassessmentreports
    - infraassessmentreports
    - clustervulnerabilityreports
    - clusterconfigauditreports
    - clusterrbacassessmentreports
    - clusterinfraassessmentreports
    - clustercompliancereports
  verbs:
    - list
{{- end }}
{{- if has "kubescape" $sources }}
- apiGroups:
    - ""
  resources:
    - namespaces
    - nodes
    - pods
    - replicationcontrollers
  verbs:
    - list
- apiGroups:
    - apiextensions.k8s.io
  resources:
    - customresourcedefinitions
  verbs:
    - list
- apiGroups:
    - apps
  resources:
    - deployments
    - replicasets
    - statefulsets
    - daemonsets
  verbs:
    - list
- apiGroups:
    - batch
  resources:
    - cronjobs
    - jobs
  verbs:
    - list
- apiGroups:
    - argoproj.io
  resources:
    - applications
    - applicationsets
  verbs:
    - list
- apiGroups:
    - helm.cattle.io
  resources:
    - helmcharts
  verbs:
    - list
- apiGroups:
    - helm.toolkit.fluxcd.io
  resources:
    - helmreleases
  verbs:
    - list
- apiGroups:
    - kustomize.toolkit.fluxcd.io
  resources:
    - kustomizations
  verbs:
    - list
- apiGroups:
    - source.toolkit.fluxcd.io
  resources:
    - gitrepositories
    - helmcharts
    - helmrepositories
    - ocirepositories
  verbs:
    - list
- apiGroups:
    - spdx.softwarecomposition.kubescape.io
  resources:
    - workloadconfigurationscans
    - vulnerabilitymanifestsummaries
    - vulnerabilitymanifests
  verbs:
    - list
{{- end }}
{{- if has "policy-reports" $sources }}
- apiGroups:
    - ""
  resources:
    - namespaces
    - nodes
    - pods
    - replicationcontrollers
  verbs:
    - list
- apiGroups:
    - apiextensions.k8s.io
  resources:
    - customresourcedefinitions
  verbs:
    - list
- apiGroups:
    - apps
  resources:
    - deployments
    - replicasets
    - statefulsets
    - daemonsets
  verbs:
    - list
- apiGroups:
    - batch
  resources:
    - cronjobs
    - jobs
  verbs:
    - list
- apiGroups:
    - argoproj.io
  resources:
    - applications
    - applicationsets
  verbs:
    - list
- apiGroups:
    - helm.cattle.io
  resources:
    - helmcharts
  verbs:
    - list
- apiGroups:
    - helm.toolkit.fluxcd.io
  resources:
    - helmreleases
  verbs:
    - list
- apiGroups:
    - kustomize.toolkit.fluxcd.io
  resources:
    - kustomizations
  verbs:
    - list
- apiGroups:
    - source.toolkit.fluxcd.io
  resources:
    - gitrepositories
    - helmcharts
    - helmrepositories
    - ocirepositories
  verbs:
    - list
- apiGroups:
    - wgpolicyk8s.io
  resources:
    - policyreports
    - clusterpolicyreports
  verbs:
    - list
- apiGroups:
    - reports.x-k8s.io
  resources:
    - policyreports
    - clusterpolicyreports
  verbs:
    - list
- apiGroups:
    - openreports.io
  resources:
    - reports
    - clusterreports
  verbs:
    - list
{{- end }}
{{- if has "deprecated_apis" $sources }}
- nonResourceURLs:
    - /metrics
  verbs:
    - get
{{- end }}
{{- with .Values.agent.extraRules }}
{{ toYaml . }}
{{- end }}
{{- end }}

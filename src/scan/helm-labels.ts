export interface Metadata {
  name: string
  namespace: string
  labels: Record<string, unknown>
  annotations: Record<string, unknown>
}

/** Helm release from labels and annotations. */
export interface HelmLabels {
  isHelm: boolean
  chart: ChartLabel | undefined
  release: string | undefined
  releaseNamespace: string | undefined
}

export interface ChartLabel {
  name: string
  version: string
  /** In a release's record only: a label of objects may state another version. */
  appVersion?: string | undefined
}

export function toHelmLabels({ labels, annotations }: Metadata): HelmLabels {
  // Charts older than the recommended labels use `chart`, `release` and `heritage`.
  const isOld = word(labels.heritage) === 'Helm' || word(labels.heritage) === 'Tiller'
  const chart = splitChart(word(labels['helm.sh/chart']) ?? (isOld ? word(labels.chart) : undefined))
  const release = word(annotations['meta.helm.sh/release-name']) ?? (isOld ? word(labels.release) : undefined)
  const isHelm = chart !== undefined || release !== undefined || word(labels['app.kubernetes.io/managed-by']) === 'Helm'
  return {
    isHelm,
    chart,
    // Pod templates have labels, but no annotations.
    release: release ?? (isHelm ? word(labels['app.kubernetes.io/instance']) : undefined),
    releaseNamespace: word(annotations['meta.helm.sh/release-namespace']),
  }
}

/** `cert-manager-v1.14.4` → `cert-manager`, `v1.14.4`. A label has `_` instead of `+`. */
export function splitChart(label: string | undefined) {
  const match = /^(.+?)-(v?\d+\.\d+.*)$/.exec(label ?? '')
  return match ? { name: match[1]!, version: match[2]!.replaceAll('_', '+') } : undefined
}

export function word(value: unknown) {
  return typeof value === 'string' && value !== '' ? value.slice(0, 1024) : undefined
}

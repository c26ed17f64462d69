/** A gauge of the text formats of Prometheus and OpenMetrics, which are written by hand: a library would be loaded for a few lines. */
export interface Gauge {
  name: string
  help: string
  samples: Sample[]
}

export interface Sample {
  labels?: Record<string, string>
  value: number
}

export const metricsTypes = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
} as const
export type MetricsFormat = keyof typeof metricsTypes

/** Gauges without samples are left out. */
export function metricsText(gauges: Gauge[], format: MetricsFormat = 'prometheus'): string {
  const text = gauges.filter(({ samples }) => samples.length > 0).map(gaugeText)
  return text.join('') + (format === 'openmetrics' ? '# EOF\n' : '')
}

function gaugeText({ name, help, samples }: Gauge): string {
  const lines = samples.map(({ labels = {}, value }) => `${name}${labelText(labels)} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join('')}`
}

function labelText(labels: Record<string, string>): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return parts.length === 0 ? '' : `{${parts.join(',')}}`
}

const escapeLabel = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

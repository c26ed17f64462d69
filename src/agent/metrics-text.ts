/** A gauge in Prometheus's text format, written by hand: its library would be loaded for a few lines. */
export interface Gauge {
  name: string
  help: string
  samples: { labels?: Record<string, string>; value: number }[]
}

export function metricsText(gauges: Gauge[]): string {
  return gauges
    .map(({ name, help, samples }) => {
      const lines = samples.map(({ labels = {}, value }) => `${name}${labelText(labels)} ${value}\n`)
      return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join('')}`
    })
    .join('')
}

function labelText(labels: Record<string, string>): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return parts.length === 0 ? '' : `{${parts.join(',')}}`
}

const escapeLabel = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

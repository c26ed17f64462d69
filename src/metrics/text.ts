/** A gauge of the text formats of Prometheus and OpenMetrics, which are written by hand: a library would be loaded for a few lines. */
export interface Gauge {
  name: string
  help: string
  samples: Sample[]
}

export interface Sample {
  /** Written by `labelsText`, because many samples share some. */
  labels?: string
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
  let text = `# HELP ${name} ${help}\n# TYPE ${name} gauge\n`
  for (const { labels = '', value } of samples) text += `${name}${labels === '' ? '' : `{${labels}}`} ${value}\n`
  return text
}

/** `cluster="shop",environment="prod"` */
export function labelsText(labels: Record<string, string>): string {
  let text = ''
  for (const name in labels) text += `${text === '' ? '' : ','}${name}="${escapeLabel(labels[name]!)}"`
  return text
}

/** Few need it, and looking is quicker. */
const escapeLabel = (value: string): string =>
  /[\\"\n]/.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : value

/**
 * A gauge in the text formats of Prometheus and OpenMetrics, formatted by hand: a library would be loaded for a few lines.
 */
export interface Gauge {
  name: string
  help: string
  samples: Sample[]
}

export interface Sample {
  labels?: Record<string, string>
  value: number
}

/** A gauge with formatted samples. */
export interface WrittenGauge {
  name: string
  help: string
  lines: string
}

export const metricsTypes = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
} as const
export type MetricsFormat = keyof typeof metricsTypes

export const metricsText = (gauges: Gauge[]) => joinGauges(gauges.map(writeGauge), 'prometheus')

export const writeGauge = ({ name, help, samples }: Gauge): WrittenGauge => ({
  name,
  help,
  lines: writeSamples(name, samples),
})

/** Omits gauges without samples. */
export function joinGauges(gauges: WrittenGauge[], format: MetricsFormat) {
  const texts = gauges.map(({ name, help, lines }) =>
    lines === '' ? '' : `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines}`,
  )
  return texts.join('') + (format === 'openmetrics' ? '# EOF\n' : '')
}

/** One line per sample; `place` has the common labels, already formatted. */
export function writeSamples(name: string, samples: Sample[], place = '') {
  let lines = ''
  for (const { labels = {}, value } of samples) {
    const own = writeLabels(labels)
    const all = place === '' || own === '' ? place + own : `${place},${own}`
    lines += `${name}${all === '' ? '' : `{${all}}`} ${value}\n`
  }
  return lines
}

/** Formats `cluster="shop",environment="prod"` */
export function writeLabels(labels: Record<string, string>) {
  let text = ''
  for (const name in labels) text += `${text === '' ? '' : ','}${name}="${escapeLabel(labels[name]!)}"`
  return text
}

/** Few labels need escaping, and the test is faster. */
const escapeLabel = (value: string) =>
  /[\\"\n]/.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : value

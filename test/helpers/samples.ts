export interface Series {
  name: string
  labels: Record<string, string>
  value: number
}

/** Samples of the text format of Prometheus; throws for a line that is none. */
export function readSamples(text: string): Series[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const found = /^([a-z_]+)(?:\{(.*)\})? (-?[\d.e+]+)$/.exec(line)
      if (!found) throw new Error(`No sample: ${line}`)
      const [, name, labels = '', value] = found
      const pairs = [...labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"(?:,|$)/g)]
      return {
        name: name!,
        labels: Object.fromEntries(pairs.map(([, key, text]) => [key, text])),
        value: Number(value),
      }
    })
}

import { hash } from 'node:crypto'

/** A number from 0 to `below` - 1 that is the same for equal words on every machine and in every process. */
export function spread(below: number, ...words: string[]) {
  return hash('sha256', JSON.stringify(words), 'buffer').readUIntBE(0, 6) % below
}

/** First and last value of each of the five fields; days that every month has. */
const fields = [
  ['minute', 0, 59],
  ['hour', 0, 23],
  ['day', 1, 28],
  ['month', 1, 12],
  ['weekday', 0, 6],
] as const

/**
 * Replaces each `H` of a cron pattern by a value that depends on `seed`, as Jenkins does: `H`, `H/15`, `H(0-29)` and
 * `H(0-29)/10`. Undefined if an `H` has another form.
 */
export function spreadPattern(pattern: string, seed: string) {
  const parts = pattern.trim().split(/\s+/)
  const spreadParts = parts.map((part, index) => {
    const field = fields[index]
    return field === undefined ? part : spreadField(part, field, seed)
  })
  return spreadParts.includes(undefined) ? undefined : spreadParts.join(' ')
}

function spreadField(part: string, [name, first, last]: (typeof fields)[number], seed: string) {
  const items = part.split(',').map((item) => {
    const match = /^H(?:\((\d{1,2})-(\d{1,2})\))?(?:\/(\d{1,2}))?$/.exec(item)
    if (!match) return /(^|[^A-Z])H/i.test(item.replace(/THU|MARCH/gi, '')) ? undefined : item
    const [from, to] = [Number(match[1] ?? first), Number(match[2] ?? last)]
    const step = match[3] === undefined ? undefined : Number(match[3])
    if (from < first || to > Math.max(last, name === 'day' ? 31 : last) || from > to || step === 0) return undefined
    const start = from + spread(Math.min(step ?? Number.POSITIVE_INFINITY, to - from + 1), seed, name)
    return step === undefined ? `${start}` : `${start}-${to}/${step}`
  })
  return items.includes(undefined) ? undefined : items.join(',')
}

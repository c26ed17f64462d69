import { InvalidArgumentError } from 'commander'

/** Options of all that reads a cluster. */
export const clusterOptions = {
  '--context <name>': 'context of a kubeconfig (default: the current one)',
  '--namespaces <names>': { help: 'the only namespaces to read, separated by commas', parse: names },
  '--deprecated-apis': "ask the API server's metrics which deprecated APIs are requested; needs a role of its own",
} as const

/** `a,b` → `['a', 'b']`. */
export function names(text: string) {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
}

/** For an option that can be given several times. */
export function collect(text: string, earlier: string[] = []) {
  return [...earlier, text]
}

const unitMs = { s: 1000, m: 60_000, h: 3_600_000 }
const longestMs = 24 * 3_600_000

/** `90s`, `30m`, `2h` → milliseconds. */
export function duration(text: string) {
  const match = /^(\d{1,6})([smh])$/.exec(text)
  const ms = match ? Number(match[1]) * unitMs[match[2] as keyof typeof unitMs] : 0
  if (ms > 0 && ms <= longestMs) return ms
  throw new InvalidArgumentError('Use a time such as 90s, 30m or 2h, at most 24h.')
}

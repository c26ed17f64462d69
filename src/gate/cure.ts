import { daySeconds, formatDay, parseTimestamp } from '../util/time.ts'
import { type Gap, neverAccepted } from './gap.ts'
import type { Reason } from './reason.ts'
import { forbiddenResource } from './undecided-line.ts'

/** What left rules undecided, for one cause, and the line of the policy that would decide it. */
export interface Cause<R = Reason> {
  gaps: RuleGap<R>[]
  rules: string[]
  parts: string[]
  reason: R
  /** Key of relt.yaml that the line belongs to. */
  under: 'gate' | 'gate.undecided'
  /** Null where nothing but the cure decides it. */
  line: string | null
}

export interface RuleGap<R = Reason> extends Gap<R> {
  rule: string
}

interface About {
  cluster_name: string | null
  scanned_at: string | null
  /** `YYYY-MM-DD` */
  today: string
}

/** So long a printed line holds. */
const lineDays = 30
/** A printed line names no more checks. */
const mostParts = 10

/** Causes in the order of the gaps. */
export function findCauses(gaps: RuleGap[], about: About): Cause[] {
  const byCause = Map.groupBy(gaps, causeOf)
  return [...byCause.values()].map((own) => {
    const parts = [...new Set(own.map(({ part, place }) => place ?? part))]
    return {
      gaps: own,
      rules: [...new Set(own.map(({ rule }) => rule))],
      parts,
      reason: own[0]!.reason,

      under: own[0]!.part === 'baseline' ? 'gate' : 'gate.undecided',
      line: lineFor(own[0]!, parts, about),
    }
  })
}

/** Gaps with one cure. */
function causeOf(gap: Gap): string {
  const { state, place, part, reason } = gap
  if (place !== undefined) return `${state} place`
  const resource = forbiddenResource(gap)
  if (resource !== undefined) return `forbidden ${resource}`
  // The rest of a message names what differs from check to check.
  return state === 'unknown'
    ? `unknown ${part}`
    : `${state} ${typeof reason === 'string' ? reason.slice(0, 40) : reason.code}`
}

function lineFor(gap: Gap, parts: string[], { cluster_name, scanned_at, today }: About): string | null {
  if (gap.part === 'baseline') return `begin: ${(scanned_at ?? today).slice(0, 10)}`
  if (neverAccepted.includes(gap.part)) return null
  const until = formatDay(parseTimestamp(today)! + lineDays * daySeconds)
  const resource = forbiddenResource(gap)
  const what =
    resource !== undefined
      ? `forbidden: ${quoted(resource)}`
      : `${gap.place === undefined ? 'part' : 'place'}: ${listOf(parts.slice(0, mostParts))}`
  const cluster = cluster_name === null ? '' : `, cluster: ${quoted(cluster_name)}`
  return `- {${what}${cluster}, until: ${until}}`
}

const listOf = (names: string[]): string =>
  names.length === 1 ? quoted(names[0]!) : `[${names.map(quoted).join(', ')}]`

/** For YAML in flow style. */
const quoted = (text: string): string => (/^[A-Za-z][\w./ -]*$/.test(text) ? text : JSON.stringify(text))

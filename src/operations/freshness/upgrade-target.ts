import { invalidParams, ReltError } from '../../errors.ts'
import { compareLines, toMinor } from '../../upgrade/line.ts'
import type { PlanFacts } from './plan-knowledge.ts'

/**
 * The minor version that is meant: a version, `latest`, `supported`, or the next one. Throws `not_found` where the catalog does not
 * know the latest.
 */
export function toTarget(wanted: string | undefined, kubernetes: string | null, known: PlanFacts): string {
  const newest = known.minors[0]
  if (newest === undefined && (wanted === 'latest' || wanted === 'supported')) {
    throw new ReltError('not_found', 'The catalog has no release of Kubernetes.', {
      hint: 'Name a version, such as 1.36.',
    })
  }
  if (wanted === 'latest' && newest !== undefined) return newest
  const from = kubernetes === null ? undefined : toMinor(kubernetes)
  if (wanted === 'supported') return leastSupported(from, known)
  if (wanted === undefined) return from === undefined ? (newest ?? '1.0') : nextOf(from)
  const minor = toMinor(wanted)
  if (minor === undefined) throw invalidParams({ to: 'must be a version such as 1.36, `latest` or `supported`' })
  return minor
}

function nextOf(minor: string): string {
  const [major, number] = minor.split('.')
  return `${major}.${Number(number) + 1}`
}

/** What runs, if it is supported. */
function leastSupported(from: string | undefined, { minors, supportFor }: PlanFacts): string {
  const ascending = minors.toReversed().filter((minor) => from === undefined || compareLines(minor, from) >= 0)
  return ascending.find((minor) => supportFor(minor)?.is_eol === false) ?? minors[0] ?? from ?? '1.0'
}

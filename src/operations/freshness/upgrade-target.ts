import { invalidParams, ReltError } from '../../errors.ts'
import { offeringTitle } from '../../lifecycle/offering.ts'
import { openShiftKubernetes } from '../../lifecycle/offering-cycles.ts'
import { compareLines, toMinor } from '../../upgrade/line.ts'
import type { PlanFacts } from './plan-knowledge.ts'

/**
 * Resolves a target to a minor version: a Kubernetes or OpenShift version, `latest`, `supported`, or by default the next
 * one. Throws `not_found` if the catalog does not know the latest.
 */
export function toTarget(
  wanted: string | undefined,
  { kubernetes, offering }: { kubernetes: string | null; offering: string | undefined },
  known: PlanFacts,
) {
  const newest = known.minorsFor(offering)[0]
  if (newest === undefined && (wanted === 'latest' || wanted === 'supported')) {
    const which = known.minors.length > 0 ? ` that ${offeringTitle(offering!)} lists` : ''
    throw new ReltError('not_found', `The catalog has no release of Kubernetes${which}.`, {
      hint: 'Name a version, such as 1.36.',
    })
  }
  const from = kubernetes === null ? undefined : toMinor(kubernetes)
  // The facts may be older than the running version.
  if (wanted === 'latest' && newest !== undefined) return from && compareLines(from, newest) > 0 ? from : newest
  if (wanted === 'supported') return leastSupported(from, offering, known)
  if (wanted === undefined) return from === undefined ? (newest ?? '1.0') : nextOf(from)
  const minor = openShiftKubernetes(wanted) ?? toMinor(wanted)
  if (minor === undefined) throw invalidParams({ to: 'must be a version such as 1.36, `latest` or `supported`' })
  return minor
}

function nextOf(minor: string) {
  const [major, number] = minor.split('.')
  return `${major}.${Number(number) + 1}`
}

/** The running version, if it is supported. */
function leastSupported(from: string | undefined, offering: string | undefined, { minorsFor, supportFor }: PlanFacts) {
  const ascending = minorsFor(offering)
    .toReversed()
    .filter((minor) => from === undefined || compareLines(minor, from) >= 0)
  return ascending.find((minor) => supportFor(minor, offering)?.is_eol === false) ?? ascending.at(-1) ?? from ?? '1.0'
}

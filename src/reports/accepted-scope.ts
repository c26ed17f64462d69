import { findFault } from './known-faults.ts'
import type { Scope } from './read.ts'
import type { NotRunCheck } from './scan.ts'

/**
 * The scope that scans of a cluster by one scanner are expected to have. It starts with the first scan, grows with later
 * ones, and shrinks only when a user accepts that. Times are those of scans, in unix seconds.
 */
export interface ExpectedScope {
  /** Time of the first scan, or of the accepted one. Older scans add nothing. */
  from: number
  /** Checks that ran, each with the time of the first scan that ran it; null while the scanner lists only failed checks. */
  checks: [id: string, since: number][] | null
  /** Excluded places, each with the time of the first scan that included it; null: every scan excludes it. */
  excluded: [place: ExcludedPlace, until: number | null][]
}

/** `namespace shop`, or a kind of operator report such as `kind RbacAssessmentReport`. */
type ExcludedPlace = `${'namespace' | 'kind'} ${string}`

/** The scope of one scan. */
export interface SeenScope {
  scope: Scope
  checksNotRun: NotRunCheck[]
  /** The checks with findings, which reports of every scanner list; those with a time are of earlier scans. */
  checks: { id: string; since?: number }[]
  /** Time of the scan. */
  at: number
}

/** Parts of the accepted scope that a scan lacks. */
export interface ScopeGaps {
  checks: string[]
  namespaces: string[]
  kinds: string[]
}

export function firstScope(seen: SeenScope): ExpectedScope {
  return {
    from: seen.at,
    checks: ranChecks(seen)?.map((id) => [id, seen.at]) ?? null,
    excluded: excludedPlaces(seen).map((place) => [place, null]),
  }
}

/**
 * Adds the scope of a scan to the accepted one. Scans may come in any order: the earliest scan with a check sets its time.
 */
export function growScope(accepted: ExpectedScope, seen: SeenScope): ExpectedScope {
  if (seen.at < accepted.from) return accepted
  const ran = ranChecks(seen)
  const excludedNow = new Set(excludedPlaces(seen))
  return {
    from: accepted.from,
    checks: ran
      ? earliest([...(accepted.checks ?? []), ...ran.map((id) => [id, seen.at] as [string, number])])
      : accepted.checks,
    excluded: accepted.excluded.map(([place, until]) =>
      excludedNow.has(place) ? [place, until] : [place, Math.min(until ?? seen.at, seen.at)],
    ),
  }
}

/** Leaves out the checks that a scan of a newer version of the scanner does not list. */
export function withoutWithdrawn(accepted: ExpectedScope, { scope: { checkIds } }: SeenScope): ExpectedScope {
  if (checkIds === null) return accepted
  const listed = new Set(checkIds)
  return { ...accepted, checks: accepted.checks?.filter(([id]) => listed.has(id)) ?? null }
}

/** Replaces the accepted scope with that of one scan. Checks and places in both scopes keep their time. */
export function replaceScope(accepted: ExpectedScope, seen: SeenScope): ExpectedScope {
  const { from, checks, excluded } = firstScope(seen)
  const since = new Map(accepted.checks)
  const until = new Map(accepted.excluded)
  return {
    from,
    checks: checks?.map(([id, at]) => [id, since.get(id) ?? at]) ?? null,
    excluded: [
      ...excluded,
      // Places that this scan included: an earlier scan may still exclude them.
      ...[...until].filter(([place, end]) => end !== null && !excluded.some(([now]) => now === place)),
    ],
  }
}

/** Merges the scopes of two clusters that became one: the union of what both were expected to cover. */
export function mergeScopes(one: ExpectedScope, other: ExpectedScope): ExpectedScope {
  const ends = new Map(other.excluded)
  return {
    from: Math.min(one.from, other.from),
    checks: one.checks || other.checks ? earliest([...(one.checks ?? []), ...(other.checks ?? [])]) : null,
    excluded: one.excluded.flatMap(([place, until]) => {
      const end = ends.get(place)
      if (end === undefined) return []
      const known = [until, end].filter((each) => each !== null)
      return [[place, known.length > 0 ? Math.min(...known) : null] as [ExcludedPlace, number | null]]
    }),
  }
}

/** Finds what a scan lacks. Parts that joined the scope only after the scan are not missing from it. */
export function findGaps({ checks, excluded }: ExpectedScope, seen: SeenScope): ScopeGaps {
  const own = seen.checks.filter(({ since }) => since === undefined)
  const listed = new Set([...(seen.scope.checkIds ?? []), ...own.map(({ id }) => id)])
  for (const { id } of seen.checksNotRun) listed.add(id)
  const until = new Map(excluded)
  const missing = excludedPlaces(seen).filter((place) => {
    const end = until.get(place)
    return end === undefined || (end !== null && end <= seen.at)
  })
  const of = (word: string) =>
    missing.flatMap((place) => (place.startsWith(word) ? place.slice(word.length) : [])).sort()
  return {
    checks: (checks ?? []).flatMap(([id, since]) => (since <= seen.at && !listed.has(id) ? id : [])).sort(),
    namespaces: of('namespace '),
    kinds: of('kind '),
  }
}

/** A check that did not run by a known fault of its scanner, with the reason. */
export interface FaultyCheck extends NotRunCheck {
  fault?: string | undefined
}

/**
 * Marks checks that did not run by a known fault. One that an earlier scan ran is not marked, because findings of it may be
 * hidden now.
 */
export function withFaults(
  accepted: Pick<ExpectedScope, 'checks'> | undefined,
  { checksNotRun, at }: Pick<SeenScope, 'checksNotRun' | 'at'>,
): FaultyCheck[] {
  const since = new Map(accepted?.checks)
  return checksNotRun.map((check) => {
    const isExpected = (since.get(check.id) ?? Infinity) <= at
    return { ...check, fault: isExpected ? undefined : findFault(check) }
  })
}

/** Items of the first list that are not in the second, sorted. */
export function without(list: string[], other: string[]): string[] {
  const known = new Set(other)
  return list.filter((entry) => !known.has(entry)).sort()
}

export const countGaps = ({ checks, namespaces, kinds }: ScopeGaps): number =>
  checks.length + namespaces.length + kinds.length

/** Ids of the checks that ran. A check that never ran had no findings that could disappear. */
function ranChecks({ scope: { checkIds }, checksNotRun }: SeenScope): string[] | undefined {
  if (checkIds === null) return undefined
  const notRun = new Set(checksNotRun.map(({ id }) => id))
  return checkIds.filter((id) => !notRun.has(id))
}

/** Namespaces without operator reports are left out: they count as checks that did not run. */
function excludedPlaces({ scope }: SeenScope): ExcludedPlace[] {
  const unreported = new Set(scope.unreportedNamespaces)
  const namespaces = scope.excludedNamespaces.filter((namespace) => !unreported.has(namespace))
  const kinds = scope.unreadKinds?.map(({ kind }): ExcludedPlace => `kind ${kind}`) ?? []
  return [...new Set([...namespaces.map((namespace): ExcludedPlace => `namespace ${namespace}`), ...kinds])]
}

function earliest(checks: [id: string, since: number][]): [id: string, since: number][] {
  const since = new Map<string, number>()
  for (const [id, at] of checks) since.set(id, Math.min(at, since.get(id) ?? at))
  return [...since]
}

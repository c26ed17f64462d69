import type { FindingState } from '../contract/cluster-report.ts'
import type { Finding, FindingSeverity } from '../contract/scan-finding.ts'
import type { ClusterNames } from './cluster-names.ts'
import { type FindingSubject, isWorse, placeFor, toLevel, toSubject } from './subject.ts'

/** A finding of one run, and how many of its rows have no match in the other run. */
export interface Leftover {
  finding: Finding
  rows: number
  /** The other run has the finding too, with another count. */
  isInBoth: boolean
}

export type ChangedPair = Finding & { from: FindingState; to: FindingState; previous_severity?: FindingSeverity }

interface PairingOptions<T> {
  /** Names of the cluster in the earlier and in the later run. */
  names: { from: ClusterNames | undefined; to: ClusterNames | undefined } | undefined
  /** Called for each matching pair; false rejects it. */
  mayBeSame: (before: T, after: T) => boolean
}

/**
 * Pairs unmatched findings of both runs that have the same subject, row by row, and removes them from both lists: each pair
 * is one finding whose state changed. Returns the pairs, those that got worse separately.
 */
export function pairChanged<T extends Leftover>(
  gone: T[],
  came: T[],
  { names, mayBeSame }: PairingOptions<T>,
): { changed: ChangedPair[]; worse: ChangedPair[] } {
  const result: { changed: ChangedPair[]; worse: ChangedPair[] } = { changed: [], worse: [] }
  const checks = new Set(gone.map(({ finding }) => finding.check_id))
  const placed = came.filter(({ finding }) => checks.has(finding.check_id)).map(inPlace(names?.to))
  const places = new Set(placed.map(({ place }) => place))
  // Reading texts takes longest, so only those at places in both lists are read.
  const goneThere = gone.map(inPlace(names?.from)).filter(({ place }) => places.has(place))
  const before = Map.groupBy(goneThere.map(withSubject(names?.from)), ({ place }) => place)
  const after = placed.filter(({ place }) => before.has(place)).map(withSubject(names?.to))
  for (const matches of [isSame, isPartOf]) {
    for (const each of after) {
      for (const other of before.get(each.place)!) {
        if (each.left.rows === 0 || other.left.rows === 0) continue
        if (matches(each.subject, other.subject) && mayBeSame(other.left, each.left)) pair(other.left, each.left)
      }
    }
  }
  return result

  function pair(gone: Leftover, came: Leftover): void {
    const rows = Math.min(gone.rows, came.rows)
    gone.rows -= rows
    came.rows -= rows
    const [from, to] = [toState(gone.finding), toState(came.finding)]
    const changed = { ...came.finding, count: rows, from, to }
    if (isWorse(from, to)) result.worse.push({ ...changed, ...movedSeverity(from, to) })
    else result.changed.push(changed)
  }
}

/** A row whose level rose, for example with its age, is a finding whose severity rose. */
function movedSeverity(from: FindingState, to: FindingState): Partial<ChangedPair> {
  const [before, after] = [toLevel(from), toLevel(to)]
  return before && after && before !== after ? { severity: after, previous_severity: before } : {}
}

const inPlace =
  (names: ClusterNames | undefined) =>
  <T extends Leftover>(left: T) => ({ left, place: placeFor(left.finding, names) })

const withSubject =
  (names: ClusterNames | undefined) =>
  <T extends { left: Leftover }>(each: T) => ({ ...each, subject: toSubject(each.left.finding, names) })

/**
 * Whether two findings have the same subject and one message contains the other. A different message is a different fault.
 */
const isSame = (after: FindingSubject, before: FindingSubject): boolean =>
  after.names.size === before.names.size &&
  after.names.isSubsetOf(before.names) &&
  (after.prose.isSubsetOf(before.prose) || before.prose.isSubsetOf(after.prose))

/** The list in the message got shorter: part of the fault is fixed. */
const isPartOf = (after: FindingSubject, before: FindingSubject): boolean =>
  after.names.size > 0 && after.names.isSubsetOf(before.names) && after.prose.isSubsetOf(before.prose)

export const toState = ({ message, value }: Finding): FindingState => ({ message, value })

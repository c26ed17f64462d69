import type { FindingState } from '../contract/cluster-report.ts'
import type { Finding, FindingSeverity } from '../contract/scan-finding.ts'
import type { ClusterNames } from './cluster-names.ts'
import { type FindingSubject, isWorse, placeFor, toLevel, toSubject } from './subject.ts'

/** A finding on one side, and how many rows of it are left over. */
export interface Leftover {
  finding: Finding
  rows: number
  /** The other side has it too, with another count. */
  isInBoth: boolean
}

export type ChangedPair = Finding & { from: FindingState; to: FindingState; previous_severity?: FindingSeverity }

export interface PairingOptions<T> {
  /** Names of the cluster in the earlier and the later run. */
  names?: { from: ClusterNames | undefined; to: ClusterNames | undefined } | undefined
  /** Asked about each pair that matches. */
  mayBeSame?: (before: T, after: T) => boolean
}

/**
 * Takes what is left over on both sides of the same subject, row against row, out of both lists: it is one finding in
 * another state. Returns these, and apart those that got worse.
 */
export function pairChanged<T extends Leftover>(
  gone: T[],
  came: T[],
  { names, mayBeSame = () => true }: PairingOptions<T> = {},
): { changed: ChangedPair[]; worse: ChangedPair[] } {
  const result: { changed: ChangedPair[]; worse: ChangedPair[] } = { changed: [], worse: [] }
  const checks = new Set(gone.map(({ finding }) => finding.check_id))
  const placed = came.filter(({ finding }) => checks.has(finding.check_id)).map(inPlace(names?.to))
  const places = new Set(placed.map(({ place }) => place))
  // Reading texts takes longest: only those in a place of both sides are read.
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

/** A row whose level rose, say with its age, is a finding whose severity rose. */
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

/** Whether two findings have the same subject and one sentence contains the other. A different sentence is a different fault. */
const isSame = (after: FindingSubject, before: FindingSubject): boolean =>
  after.names.size === before.names.size &&
  after.names.isSubsetOf(before.names) &&
  (after.prose.isSubsetOf(before.prose) || before.prose.isSubsetOf(after.prose))

/** A list of what is wrong got shorter: half of a fault is mended. */
const isPartOf = (after: FindingSubject, before: FindingSubject): boolean =>
  after.names.size > 0 && after.names.isSubsetOf(before.names) && after.prose.isSubsetOf(before.prose)

const toState = ({ message, value }: Finding): FindingState => ({ message, value })

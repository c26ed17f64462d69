import type {
  ChangedFinding,
  Comparison,
  IncomparableFindings,
  ScopeChanges,
  SuppressedFinding,
} from '../contract/cluster-report.ts'
import type { Finding } from '../contract/scan-finding.ts'
import { remember } from '../util/remember.ts'
import { findAtRest } from './at-rest.ts'
import { carriedIn, withoutCarried } from './carry-over.ts'
import { comparability, type Incomparable, missingReport } from './comparability.ts'
import { compareFigures, takeFigures } from './compare-figures.ts'
import { type Awaiting, compareReturned, rowsAt } from './compare-returned.ts'
import { type CheckInfo, severityFor } from './finding-index.ts'
import { checkAt, findRecord, fingerprintsAt } from './finding-records.ts'
import { fingerprintLength } from './fingerprint.ts'
import { findJoins, type Join, type Renamed, takeJoined } from './joins.ts'
import { without } from './missed.ts'
import { type Leftover, pairChanged } from './pair-changed.ts'
import { pairReplicas } from './pair-replicas.ts'
import { PlaceMoves } from './place-moves.ts'
import { nodeOfKey } from './place-sets.ts'
import type { Scope } from './read.ts'
import { offsetsOf, readFindings } from './read-findings.ts'

import type { RunFindings } from './run-findings.ts'
import { isEvent } from './state-check.ts'
import { returnedOf, suppressedSince } from './suppressed.ts'
import { compareUnlisted } from './unlisted.ts'
import { type MovedRows, walkRecords } from './walk-records.ts'

export interface Difference {
  new: Comparison['new_findings']
  resolved: Comparison['resolved_findings']
  regressed: Comparison['regressed_findings']
  changed: ChangedFinding[]
  /** New events in the later run, and the number of events that ended. */
  events: { came: Finding[]; ended: number }
  renamed: Renamed
  /** Findings suppressed since the earlier run. */
  suppressed: SuppressedFinding[]
  /**
   * Findings in checks or namespaces that the earlier run excluded: `firstSeen` are in no older run, `backInScope` are in
   * one.
   */
  firstSeen: Finding[]
  backInScope: Finding[]
  unchangedCount: number
  /** Findings that the later run did not look at; they stay open. */
  notLookedAt: Finding[]
  /** Findings whose template has no pods now; they stay open. */
  atRest: Finding[]
  incomparable: IncomparableFindings[]
  incomparableCount: number
  scopeChanges: ScopeChanges
}

/**
 * Returns the findings that only `later` or only `from` has. `findKnownFingerprints` gets the added fingerprints (16 bytes
 * each, joined), is called once, and returns the positions of those that a run older than `later` had. `joins`: workloads that
 * were renamed between the two.
 */
export async function compareRuns(
  from: RunFindings,
  later: RunFindings,
  findKnownFingerprints: (fingerprints: Buffer) => Promise<Set<number>>,
  joins: Join[] = [],
): Promise<Difference> {
  // What a scan did not look at is unchanged by it.
  const to = withoutCarried(later)
  const scopeChanges = compareScopes(from.scope, to.scope)
  const walk = walkRuns(from, to, scopeChanges)
  const moved = await compareFigures(from, to, walk.figures)
  const { came, gone, outside, unchangedCount, incomparable } = await takeComparable(from, to, walk, later)

  const suppressed = suppressedSince(from, to, gone)
  const returned = returnedOf(from, to, came)
  const renamed = takeJoined(from, to, { gone, came, joins })
  const rescaled = pairReplicas(gone, came)
  const mayBeSame = (before: Leftover & Partial<MovedRows>, after: Leftover & Partial<MovedRows>) =>
    !walk.moves.hasFailing(before.places, after.places)
  const names = gone.length > 0 && came.length > 0 ? { from: from.names?.(), to: to.names?.() } : undefined
  const { changed, worse } = pairChanged(gone, came, { names, mayBeSame })
  const { true: firstLooked = [], false: left = [] } = await splitFirstLooked(from, to, came)
  const { isBack, backInScope, ofNewSubjects, firstSeen } = await knownBefore(
    to,
    { left, outside },
    findKnownFingerprints,
  )
  const carried = await readFindings(later, carriedIn(later))
  return withoutEvents({
    new: [...left.filter((each, i) => !isBack(each, i)).map(counted(1)), ...ofNewSubjects],
    resolved: gone.filter(({ rows }) => rows > 0).map(counted(-1)),
    regressed: [
      ...returned,
      ...left.filter(isBack).map(({ finding }) => finding),
      ...worse,
      ...moved.grown,
      ...(await readSeverer(to, walk.worse)),
    ],
    changed: [...changed, ...rescaled, ...moved.changed],
    renamed,
    suppressed,
    firstSeen: [...firstSeen, ...firstLooked.map(({ finding }) => ({ ...finding, is_at_rest: true as const }))],
    backInScope,
    unchangedCount: walk.unchangedCount + unchangedCount,
    notLookedAt: carried.filter(({ is_at_rest }) => !is_at_rest),
    atRest: carried.filter(({ is_at_rest }) => is_at_rest),
    incomparable: incomparable.list(),
    incomparableCount: incomparable.count(),
    scopeChanges,
  })
}

/** The workloads that have another name in the next run of a series. */
export async function joinRuns(from: RunFindings, later: RunFindings): Promise<Join[]> {
  const to = withoutCarried(later)
  if (from.format !== to.format) return []
  const walk = walkRuns(from, to, compareScopes(from.scope, to.scope))
  if (walk.came.length === 0 || walk.gone.length === 0) return []
  const { came, gone } = await takeComparable(from, to, walk, later)
  const whole = (left: Leftover[]) =>
    left.flatMap(({ rows, isInBoth, finding }) => (rows > 0 && !isInBoth ? finding : []))
  return findJoins(from, to, whole(gone), whole(came))
}

/** Findings that had a lower severity in the earlier run. */
async function readSeverer(run: RunFindings, worse: (readonly [at: number, rank: number])[]) {
  const findings = await readFindings(
    run,
    worse.map(([at]) => at),
  )
  return findings.map((finding, i) => ({ ...finding, previous_severity: severityFor(worse[i]![1]) }))
}

/** The records that differ, in display order. */
function walkRuns(from: RunFindings, to: RunFindings, scopeChanges: ScopeChanges) {
  const moves = new PlaceMoves(from.index.places, to.index.places)
  const { came, gone, worse, unchangedCount } = walkRecords(from.index.records, to.index.records, moves)
  const walked = {
    came: inShownOrder(to, came, ({ at }) => at),
    gone: inShownOrder(from, gone, ({ at }) => at),
    worse: inShownOrder(to, worse, ([at]) => at),
    unchangedCount,
  }
  const isNarrower = scopeChanges.namespaces_excluded.length > 0
  const unlisted = compareUnlisted(from.index, to.index, walked, isNarrower)
  const severerAt = new Set(walked.worse.map(([at]) => at))
  // Findings of two different scanners are not compared.
  const taken = from.format === to.format ? takeFigures(walked) : { ...walked, figures: [] }
  return {
    moves,
    came: [...taken.came, ...unlisted.came],
    gone: [...taken.gone, ...unlisted.gone],
    hiding: unlisted.hiding,
    worse: walked.worse,
    figures: taken.figures.filter(([, at]) => !severerAt.has(at)),
    unchangedCount,
  }
}

/**
 * Separates new and gone findings that both runs could have seen from those they could not. `outside`: outside the scope of
 * the earlier run.
 */
async function takeComparable(
  from: RunFindings,
  to: RunFindings,
  walk: ReturnType<typeof walkRuns>,
  { index: { records, checks } }: RunFindings,
) {
  const incomparable = new IncomparableGroups()
  const [ofFrom, ofTo] = [comparability(from, to), comparability(to, { ...from, ...from.known, isEarlier: true })]
  const { left: came, outside } = await leftovers(to, walk.came, ofTo, { groups: incomparable, isLater: true })
  const { left } = await leftovers(from, walk.gone, ofFrom, { groups: incomparable, isLater: false })
  // These stay open: their template has no pods now, or their version of an image still runs.
  const { true: open = [], false: wentAway = [] } = Object.groupBy(left, ({ at }) => {
    const there = findRecord(records, fingerprintsAt(from.index.records, [at]))
    return String(there !== undefined && checks[checkAt(records, there)]!.since !== undefined)
  })
  incomparable.addNotListed(wentAway, walk.hiding)
  // Places without a report in the later run are not compared. Places without one in the earlier run are compared with the
  // last run that has one.
  incomparable.addMissing(takeMissing(from, wentAway, ofFrom), ofFrom.unreadReason)
  const back = await compareReturned(from, to, takeMissing(to, came, ofTo))
  const { true: unseen = [], false: first = [] } = Object.groupBy(back.unknown, ({ category }) =>
    String(to.scope.coverage?.running === null || ofTo.unreadReason(category) !== undefined),
  )
  incomparable.addMissing(unseen, ofTo.unreadReason)
  for (const each of first) each.left.rows += rowsAt(each, each.places)
  const gone: Leftover[] = [...wentAway, ...back.gone]
  return { came, gone, outside, unchangedCount: back.unchangedCount + open.length, incomparable }
}

/** Splits off findings of a template that had no pods in the earlier run, so that nothing was looked at there. */
async function splitFirstLooked(from: RunFindings, to: RunFindings, came: (Leftover & MovedRows)[]) {
  const left = came.filter(({ rows }) => rows > 0)
  const rested = await findAtRest(
    to,
    from,
    left.flatMap(({ isInBoth, finding }) => (isInBoth ? [] : finding)),
  )
  return Object.groupBy(left, ({ finding }) => String(rested.get(finding) === 'at_rest'))
}

/** Which findings an older run had: the new ones, and those outside the scope of the previous run. */
async function knownBefore(
  to: RunFindings,
  { left, outside }: { left: Leftover[]; outside: Outside[] },
  findKnownFingerprints: (fingerprints: Buffer) => Promise<Set<number>>,
) {
  const covered = await readFindings(to, offsetsOf(outside))
  const asked = [...left.map(({ finding }) => finding), ...covered]
  const seen = await findKnownFingerprints(
    Buffer.concat(asked.map(({ fingerprint }) => Buffer.from(fingerprint, 'hex'))),
  )
  // All of a subject that no run had is new: else a renamed image or folder would pass.
  const {
    backInScope = [],
    ofNewSubjects = [],
    firstSeen = [],
  } = Object.groupBy(covered, (_, i) =>
    seen.has(left.length + i) ? 'backInScope' : outside[i]!.isOfNewSubject ? 'ofNewSubjects' : 'firstSeen',
  )
  const isBack = ({ isInBoth }: Leftover, position: number) => !isInBoth && seen.has(position)
  return { isBack, backInScope, ofNewSubjects, firstSeen }
}

/** Splits off events: they expire by themselves, and their counts change all the time. */
function withoutEvents(found: Omit<Difference, 'events'>): Difference {
  const { true: ended = [], false: resolved = [] } = Object.groupBy(found.resolved, ({ check_id }) =>
    String(isEvent(check_id)),
  )
  const isOther = ({ check_id }: Finding) => !isEvent(check_id)
  const came = [...found.new, ...found.regressed].filter((finding) => !isOther(finding))
  return {
    ...found,
    new: found.new.filter(isOther),
    resolved,
    regressed: found.regressed.filter(isOther),
    changed: found.changed.filter(isOther),
    events: { came, ended: ended.length },
  }
}

/** Sorts by the displayed fingerprints: stored fingerprints sort differently in each store. */
function inShownOrder<T>({ index, showFingerprints }: RunFindings, moved: T[], offsetOf: (each: T) => number): T[] {
  const shown = showFingerprints(fingerprintsAt(index.records, moved.map(offsetOf)))
  const keyed = moved.map((each, i) => ({
    each,
    key: shown.toString('latin1', i * fingerprintLength, (i + 1) * fingerprintLength),
  }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ each }) => each)
}

/** Reasons why a scan did not look where another one did. */
const outsideReasons = new Set<Incomparable['reason']>([
  'check_not_run',
  'check_not_in_scope',
  'namespace_not_in_scope',
  'part_not_in_run',
  'subject_not_in_run',
])

/** A row outside the scope of the other run. */
type Outside = MovedRows & { isOfNewSubject: boolean }

/** Findings of one run only. `outside`: outside the scope of the other run. */
async function leftovers(
  run: RunFindings,
  moved: MovedRows[],
  incomparableWith: ReturnType<typeof comparability>,
  { groups, isLater }: { groups: IncomparableGroups; isLater: boolean },
): Promise<{ left: (Leftover & MovedRows)[]; outside: Outside[] }> {
  const outside: Outside[] = []
  const isApart = (why: Incomparable | undefined, row: MovedRows) => {
    const isOfNewSubject = isLater && why?.reason === 'subject_not_in_run'
    if (!isOfNewSubject && !groups.add(why, run.index.checks[checkAt(run.index.records, row.at)]!)) return false
    if (why && outsideReasons.has(why.reason)) outside.push({ ...row, isOfNewSubject })
    return true
  }
  // Texts are not read for findings that are incomparable as a whole check or namespace.
  const comparable = moved.filter((row) => !isApart(incomparableWith.record(row.at), row))
  const findings = await readFindings(run, offsetsOf(comparable))
  const left = comparable.flatMap((each, i) => {
    const finding = findings[i]!
    return isApart(incomparableWith.finding(finding), each) ? [] : { finding, ...each }
  })
  return { left, outside }
}

/** Removes and returns the rows at places without a report in the other run. */
function takeMissing(
  { index }: RunFindings,
  leftovers: (Leftover & MovedRows)[],
  { isMissing, placeFor }: ReturnType<typeof comparability>,
): Awaiting[] {
  return leftovers.flatMap((left) => {
    const { category } = left.finding
    const named = left.places?.map((place) => index.places!.places[place]!)
    const keys = named?.every((key) => nodeOfKey(key) === undefined) ? named : undefined
    const places = (keys ?? [placeFor(left.finding)]).filter((key) => isMissing(category, key))
    if (places.length === 0) return []
    const { rows } = left
    left.rows = keys ? rows - places.length : 0
    return { left, at: left.at, rows, category, places }
  })
}

/** For a finding whose count changed, by how much. */
const counted =
  (sign: 1 | -1) =>
  ({ finding, rows, isInBoth }: Leftover): Finding & { count_delta?: number } =>
    isInBoth || rows !== finding.count ? { ...finding, count_delta: sign * rows } : finding

/** Nothing that matters now can hide behind these. */
const isKnown = new Set<Incomparable['reason']>(['takes_turns', 'check_withdrawn'])

class IncomparableGroups {
  readonly #groups = new Map<string, IncomparableFindings>()

  /** Records a finding as incomparable. Returns false if there is no reason to. */
  add(why: Incomparable | undefined, { id, name }: CheckInfo, count = 1): boolean {
    if (!why || count === 0) return false
    const key = `${why.reason}\n${id}`
    remember(this.#groups, key, () => ({ ...why, check_id: id, check_name: name, count: 0 })).count += count
    return true
  }

  /**
   * Adds rows that are gone while the later report lists fewer findings than it counts: they may be among the unlisted ones.
   */
  addNotListed(gone: Leftover[], hiding: Map<string, number>): void {
    for (const left of gone) {
      const { check_id: id, check_name: name } = left.finding
      const hidden = Math.min(left.rows, hiding.get(id) ?? 0)
      if (!this.add({ reason: 'not_listed' }, { id, name, category: '' }, hidden)) continue
      left.rows -= hidden
      hiding.set(id, hiding.get(id)! - hidden)
    }
  }

  addMissing(missing: Awaiting[], unreadReason: (category: string) => string | undefined): void {
    for (const each of missing) {
      const { check_id: id, check_name: name, category } = each.left.finding
      const detail = unreadReason(category)
      const why: Incomparable = detail === undefined ? missingReport : { reason: 'check_not_run', detail }
      this.add(why, { id, name, category }, rowsAt(each, each.places))
    }
  }

  count(): number {
    return this.list().reduce((sum, { reason, count }) => sum + (isKnown.has(reason) ? 0 : count), 0)
  }

  list(): IncomparableFindings[] {
    return [...this.#groups.values()]
  }
}

function compareScopes(from: Scope, to: Scope): ScopeChanges {
  const areKnown = from.checkIds !== null && to.checkIds !== null
  const only = (one: string[], other: string[]) => without(one, new Set(other))
  return {
    namespaces_excluded: only(to.excludedNamespaces, from.excludedNamespaces),
    namespaces_included: only(from.excludedNamespaces, to.excludedNamespaces),
    checks_removed: areKnown ? only(from.checkIds!, to.checkIds!) : [],
    checks_added: areKnown ? only(to.checkIds!, from.checkIds!) : [],
  }
}

import { countAt, fingerprintsAt, offsetsIn, rankAt } from '../../reports/finding-records.ts'
import type { RunFindings } from '../../reports/run-findings.ts'
import { type FilterSubject, isOnlySeverities, matchesFilter, selectRecords } from '../../reports/select-findings.ts'
import { listFirstSeen } from '../../store/runs/finding-history.ts'
import { getFindingRecords } from '../../store/runs/records.ts'
import { type FindingCandidate, type LookedAt, noRank, toCandidate } from './candidates.ts'
import { keyAt } from './run-changes.ts'
import { inStates, toChanges } from './search-changes.ts'
import { noChangeGaps, noGaps, type SearchGaps, sumGaps } from './search-gaps.ts'
import { keepOwned } from './search-owners.ts'
import type { SearchPlan } from './search-plan.ts'
import { gapsOfUnchanged } from './search-unlisted.ts'

interface Matches {
  found: FindingCandidate[]
  gaps: SearchGaps
}

/** All matches in a run; without names if only severities are filtered. */
export async function toMatches(plan: SearchPlan, run: LookedAt, needsNames = true): Promise<Matches> {
  const { query, order, states, asksOpen, wantsChanges } = plan
  const { suppressed_findings, not_run_checks } = run.stored.run
  const wantsAccepted = states.has('accepted') && (await plan.acceptedOf(run)).size > 0
  const wantsRecords = wantsAccepted || states.has('open') || wantsChanges
  const isPlain = !needsNames && isOnlySeverities(query) && order !== 'first-seen'
  if (isPlain && asksOpen) return { found: await matchesByRank(plan, run), gaps: noGaps }
  const wantsSuppressed = states.has('suppressed') && suppressed_findings !== 0
  const wantsNotRun = states.has('not-run') && not_run_checks !== 0
  if (!wantsRecords && !wantsSuppressed && !wantsNotRun) return { found: [], gaps: noGaps }
  const unchanged = wantsAccepted || wantsSuppressed || wantsNotRun ? undefined : await gapsOfUnchanged(plan, run)
  if (unchanged) return { found: [], gaps: unchanged }
  const findings = await plan.open(run)
  const records = wantsRecords ? await toRecords(plan, run, findings) : { found: [], gaps: noGaps }
  const found = [
    ...records.found,
    ...(wantsSuppressed ? suppressedOf(plan, run, findings) : []),
    ...(wantsNotRun ? notRunOf(plan, run, findings) : []),
  ]
  return { found: await keepOwned(plan, run, found), gaps: records.gaps }
}

/** Filters by severity only, which needs no sealed names. */
async function matchesByRank({ db, ranks, acceptedOf }: SearchPlan, run: LookedAt): Promise<FindingCandidate[]> {
  const records = await getFindingRecords(db, run.stored.id)
  const accepted = await acceptedOf(run)
  const nameless = { run, check: '', checkName: '', namespace: '', firstSeen: 0 }
  const offsets = offsetsIn(records)
  return offsets.flatMap((at) => {
    const rank = rankAt(records, at)
    return ranks.includes(rank) && !accepted.has(keyAt(records, at))
      ? [{ ...nameless, subject: at, rank, count: countAt(records, at), place: 0 }]
      : []
  })
}

/** Matching findings of an opened run. */
export async function toRecords(plan: SearchPlan, run: LookedAt, findings: RunFindings): Promise<Matches> {
  const { offsets, unlistedRows } = await selectRecords(findings, plan.query)
  const { kept, gaps } = await keepStates(plan, run, { findings, offsets })
  const firsts =
    plan.order === 'first-seen'
      ? await listFirstSeen(plan.db, run.stored.clusterId, fingerprintsAt(findings.index.records, kept))
      : undefined
  const found = kept.map((at, i) => ({
    ...toCandidate(run, findings.index, at),
    firstSeen: firsts?.get(i) ?? Number.POSITIVE_INFINITY,
  }))
  return { found, gaps: sumGaps([gaps, { ...noGaps, unlisted_rows: unlistedRows }]) }
}

/** Keeps the findings in the requested states, by the offsets of their records. */
export async function keepStates(
  plan: SearchPlan,
  run: LookedAt,
  { findings, offsets }: { findings: RunFindings; offsets: number[] },
): Promise<{ kept: number[]; gaps: SearchGaps }> {
  const accepted = await plan.acceptedOf(run)
  const { records } = findings.index
  const { true: own = [], false: others = [] } = Object.groupBy(offsets, (at) =>
    accepted.has(keyAt(records, at)) ? 'true' : 'false',
  )
  const wanted = plan.states.has('accepted') ? own : []
  if (plan.states.has('open')) return { kept: [...wanted, ...others], gaps: noGaps }
  if (!plan.wantsChanges) return { kept: wanted, gaps: noGaps }
  const changes = await toChanges(plan, run)
  return {
    kept: [...wanted, ...inStates(plan, changes, findings, others)],
    gaps: { ...noChangeGaps, incomparable_findings: changes.incomparable },
  }
}

const unseen = { firstSeen: Number.POSITIVE_INFINITY }

function suppressedOf({ query }: SearchPlan, run: LookedAt, { index }: RunFindings): FindingCandidate[] {
  return index.suppressed.flatMap((row, place) => {
    const { id, name } = index.checks[row.check]!
    const subject: FilterSubject = { ...row, checkId: id, checkName: name }
    if (!matchesFilter(query, subject)) return []
    const { rank, namespace, count } = row
    return [
      { ...unseen, run, subject: row, rank, check: id, checkName: name, namespace: namespace ?? '', count, place },
    ]
  })
}

function notRunOf({ query }: SearchPlan, run: LookedAt, { checksNotRun }: RunFindings): FindingCandidate[] {
  // Its severity and namespace are unknown, so filters on them do not exclude it.
  const filter = { ...query, severities: undefined, namespace: undefined, resource: undefined }
  return checksNotRun.flatMap((check, place) => {
    const { id, name, reason } = check
    const subject = { rank: null, checkId: id, checkName: name, namespace: null, resource: null }
    if (!matchesFilter(filter, { ...subject, message: reason, value: null })) return []
    const named = { check: id, checkName: name, namespace: '' }
    return [{ ...unseen, ...named, run, subject: check, rank: noRank, count: 0, place }]
  })
}

import { severityFor } from '../../reports/finding-index.ts'
import { checkAt, countAt, rankAt, recordLength } from '../../reports/finding-records.ts'
import { namespacesAt } from '../../reports/place-sets.ts'
import { matchesFilter } from '../../reports/select-findings.ts'
import { isEvent } from '../../reports/state-check.ts'
import type { LatestRun } from '../../store/runs/latest-run.ts'
import type { AcceptedFinding } from './accepted.ts'
import type { LookedAt } from './candidates.ts'
import { keyAt } from './run-changes.ts'
import { inStates, toChanges } from './search-changes.ts'
import { toRecords } from './search-fetch.ts'
import { noChangeGaps, noGaps, type SearchGaps } from './search-gaps.ts'
import { keepOwnedRecords } from './search-owners.ts'
import { allRanks, type SearchPlan } from './search-plan.ts'
import { gapsOfUnchanged, unlistedOf } from './search-unlisted.ts'

/** Counts by rank of severity. */
export interface RankCounts {
  findings: number[]
  rows: number[]
}

interface Counted {
  counts: RankCounts
  gaps: SearchGaps
}

/** Counts the matches in a run by severity, limited to at most one group. */
export async function countRanks(plan: SearchPlan, run: LookedAt): Promise<Counted> {
  const { stored } = run
  const { group, whole } = plan
  const isNew = whole.has(stored.id)
  if (!plan.asksOpen && !isNew) return countChanges(plan, run)
  const isOpen = (check: string) => !isNew || !isEvent(check)
  const accepted = (await matchingAccepted(plan, run)).filter(({ subject }) => isOpen(subject.checkId))
  if (!group && !isNew) return { counts: without(accepted, countsOfRun(stored)), gaps: noGaps }
  const groups = await plan.countsOf(run)
  const by = group?.by ?? 'check'
  const wanted = groups[by].filter(({ key }) => (!group || group.has(key)) && (by !== 'check' || isOpen(key ?? '')))
  const sum = (of: 'findings' | 'rows') =>
    allRanks.map((rank) =>
      wanted.reduce((all, each) => all + each[of][rank]! - ((isNew && each.events?.[of][rank]) || 0), 0),
    )
  const counts = { findings: sum('findings'), rows: sum('rows') }
  return {
    counts: without(accepted, counts),
    gaps: { ...(isNew ? noChangeGaps : noGaps), ...(await unlistedOf(plan, run)) },
  }
}

async function countChanges(plan: SearchPlan, run: LookedAt): Promise<Counted> {
  const counts: RankCounts = { findings: [0, 0, 0, 0, 0], rows: [0, 0, 0, 0, 0] }
  const add = ({ rank, count }: { rank: number; count: number }) => {
    counts.findings[rank]!++
    counts.rows[rank]! += count
  }
  const unchanged = await gapsOfUnchanged(plan, run)
  if (unchanged) return { counts, gaps: unchanged }
  const changes = plan.changes.get(run.stored.id)
  if (!changes) {
    const { found, gaps } = await toRecords(plan, run, await plan.open(run))
    found.forEach(add)
    return { counts, gaps }
  }
  const isWanted = await recordFilter(plan, run)
  const accepted = await plan.acceptedOf(run)
  for (const state of ['new', 'regressed'] as const) {
    if (!plan.states.has(state)) continue
    const records = changes[state]
    for (let at = 0; at < records.length; at += recordLength) {
      if (isWanted(records, at) && !(accepted.size > 0 && accepted.has(keyAt(records, at))))
        add({ rank: rankAt(records, at), count: countAt(records, at) })
    }
  }
  const gaps = { ...(await unlistedOf(plan, run)), incomparable_findings: changes.incomparable }
  return { counts, gaps }
}

/** Returns a filter for records in the requested group. */
async function recordFilter(plan: SearchPlan, run: LookedAt): Promise<(records: Buffer, at: number) => boolean> {
  const { group } = plan
  if (!group) return () => true
  const groups = await plan.countsOf(run)
  const wanted = groups[group.by].filter(({ key }) => group.has(key))
  const numbers = new Set(wanted.map(({ number }) => number))
  if (group.by === 'check') return (records, at) => numbers.has(checkAt(records, at))
  return (records, at) => namespacesAt(records, at, groups.places).some((number) => numbers.has(number))
}

/** Number of accepted findings among all matches. */
export async function countAccepted(plan: SearchPlan): Promise<number> {
  let count = 0
  const wantsAll = plan.states.has('open') || plan.states.has('accepted')
  if (!wantsAll && !plan.wantsChanges) return 0
  for (const run of plan.runs) {
    const own = await matchingAccepted(plan, run)
    if (wantsAll || own.length === 0) {
      count += wantsAll ? own.length : 0
      continue
    }
    const findings = await plan.open(run)
    const changes = await toChanges(plan, run)
    const offsets = own.map(({ at }) => at)
    count += inStates(plan, changes, findings, offsets).length
  }
  return count
}

export async function matchingAccepted(plan: SearchPlan, run: LookedAt) {
  const accepted = [...(await plan.acceptedOf(run)).values()]
  return keepOwnedRecords(
    plan,
    run,
    accepted.filter(({ subject }) => matchesFilter(plan.query, subject)),
  )
}

export function countsOfRun({ distinct, run }: LatestRun): RankCounts {
  return { findings: distinct, rows: distinct.map((_, rank) => run.findings[severityFor(rank)]) }
}

/** Subtracts the findings that exceptions cover. */
export function without(
  accepted: Pick<AcceptedFinding, 'rank' | 'count'>[],
  { findings, rows }: RankCounts,
): RankCounts {
  if (accepted.length === 0) return { findings, rows }
  const sum = (rank: number, of: (each: { count: number }) => number) =>
    accepted.reduce((total, each) => total + (each.rank === rank ? of(each) : 0), 0)
  return {
    findings: findings.map((many, rank) => many - sum(rank, () => 1)),
    rows: rows.map((many, rank) => many - sum(rank, ({ count }) => count)),
  }
}

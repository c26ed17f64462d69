import { countAt, rankAt } from '../../reports/finding-records.ts'
import { isOnlySeverities, selectRecords } from '../../reports/select-findings.ts'
import { findEarliest } from '../../store/runs/finding-history.ts'
import { RecentValues } from '../../util/recent-values.ts'
import { compareBy, type FindingCandidate, type LookedAt, mergeSorted, toCandidate, withinRun } from './candidates.ts'
import { countRanks, matchingAccepted } from './search-count.ts'
import { keepStates, toMatches } from './search-fetch.ts'
import { noGaps, type SearchGaps, sumGaps } from './search-gaps.ts'
import type { SearchPlan } from './search-plan.ts'
import { sumOf, unlistedOf } from './search-unlisted.ts'

/** A range of consecutive findings in the response, read only where a page needs it. */
interface Segment {
  findings: number
  take: (from: number, to: number) => Promise<FindingCandidate[]>
}

/** The response as segments, in order. */
interface Segments {
  segments: Segment[]
  rows: number
  gaps: SearchGaps
}

/** `chosen`: the findings of the page. */
export async function choosePage(plan: SearchPlan) {
  const { segments, rows, gaps } = await toSegments(plan)
  const { start, end } = toBounds(plan)
  const chosen: FindingCandidate[] = []
  let total = 0
  for (const { findings, take } of segments) {
    const [from, to] = [Math.max(start - total, 0), Math.min(end - total, findings)]
    if (from < to) chosen.push(...(await take(from, to)))
    total += findings
  }
  return { total, rows, chosen, gaps }
}

export function toBounds({ query: { page, perPage } }: SearchPlan): { start: number; end: number } {
  return { start: (page - 1) * perPage, end: page * perPage }
}

/** If the counts of each run determine which runs a page needs, opens only those. */
function toSegments(plan: SearchPlan): Promise<Segments> {
  const { query, order, states, asksOpen, isOpenOnly, group } = plan
  if (order === 'count' && isOpenOnly) return segmentsByCount(plan)
  if (order === 'first-seen' && isOpenOnly) return segmentsByFirstSeen(plan)
  const isChanges = [...states].every((state) => state === 'new' || state === 'regressed')
  const isCounted = isOpenOnly || ((asksOpen || isChanges) && (isOnlySeverities(query) || group !== undefined))
  const isByRank = order === 'severity' || order === 'cluster'
  return isCounted && isByRank ? segmentsByRank(plan) : searchedSegments(plan)
}

async function segmentsByRank(plan: SearchPlan): Promise<Segments> {
  const { runs, ranks, order } = plan
  const counted: Awaited<ReturnType<typeof countRanks>>[] = []
  for (const run of runs) counted.push(await countRanks(plan, run))
  const taker = segmentTaker(plan)
  const toSegment = (i: number, rank: number): Segment => ({
    findings: counted[i]!.counts.findings[rank]!,
    take: taker(runs[i]!, (records, at) => rankAt(records, at) === rank),
  })
  const all = [...runs.keys()]
  return {
    segments:
      order === 'cluster'
        ? all.flatMap((i) => ranks.map((rank) => toSegment(i, rank)))
        : ranks.flatMap((rank) => all.map((i) => toSegment(i, rank))),
    rows: counted.reduce((sum, { counts }) => sum + sumOf(ranks, counts.rows), 0),
    gaps: sumGaps(counted.map(({ gaps }) => gaps)),
  }
}

async function segmentsByCount(plan: SearchPlan): Promise<Segments> {
  const { runs, ranks } = plan
  const taker = segmentTaker(plan)
  const equals: (Segment & { rank: number; count: number })[] = []
  let unlisted = 0
  for (const run of runs) {
    const accepted = Object.groupBy(await matchingAccepted(plan, run), ({ rank, count }) => `${count} ${rank}`)
    for (const { rank, count, findings, unlistedRows } of (await plan.countsOf(run)).equals) {
      if (!ranks.includes(rank)) continue
      equals.push({
        rank,
        count,
        findings: findings - (accepted[`${count} ${rank}`]?.length ?? 0),
        take: taker(run, (records, at) => rankAt(records, at) === rank && countAt(records, at) === count),
      })
      unlisted += unlistedRows
    }
  }
  return {
    // The sort is stable, so runs stay in order.
    segments: equals.sort((a, b) => b.count - a.count || a.rank - b.rank),
    rows: equals.reduce((sum, { count, findings }) => sum + count * findings, 0),
    gaps: { ...noGaps, unlisted_rows: runs.length > 0 ? unlisted : null },
  }
}

/** Maximum number of offsets in memory. */
const maxOffsets = 1_000_000

/** Takes the matching records of a segment from its run. Most segments of a page come from few runs. */
function segmentTaker(plan: SearchPlan) {
  const known = new RecentValues<number[]>(maxOffsets)
  const matching = async (run: LookedAt) => {
    const key = String(run.position)
    const found = known.get(key)
    if (found) return found
    const findings = await plan.open(run)
    const { offsets } = await selectRecords(findings, plan.query)
    const { kept } = await keepStates(plan, run, { findings, offsets })
    known.set(key, kept, 1 + kept.length)
    return kept
  }
  return (run: LookedAt, isWanted: (records: Buffer, at: number) => boolean): Segment['take'] =>
    async (from, to) => {
      const { index } = await plan.open(run)
      const offsets = (await matching(run)).filter((at) => isWanted(index.records, at))
      const own = offsets.map((offset) => toCandidate(run, index, offset)).sort(withinRun)
      return own.slice(from, to)
    }
}

/** Opens runs by the earliest finding that they may have, until no other run can have one before the end of the page. */
async function segmentsByFirstSeen(plan: SearchPlan): Promise<Segments> {
  const { db, runs, ranks } = plan
  const compare = compareBy['first-seen']
  const { end } = toBounds(plan)
  const earliest = await findEarliest(db, [...new Set(runs.map(({ stored }) => stored.clusterId))])
  const counted: Awaited<ReturnType<typeof countRanks>>[] = []
  const unlisted: SearchGaps[] = []
  for (const run of runs) {
    counted.push(await countRanks(plan, run))
    unlisted.push({ ...noGaps, ...(await unlistedOf(plan, run)) })
  }
  const bounds = runs.flatMap((run, i): FindingCandidate[] => {
    const rank = ranks.find((each) => counted[i]!.counts.findings[each]! > 0)
    const firstSeen = earliest.get(run.stored.clusterId)!
    const first = { subject: 0, check: '', checkName: '', namespace: '', count: 0, place: 0 }
    return rank === undefined ? [] : [{ ...first, run, rank, firstSeen }]
  })
  let best: FindingCandidate[] = []
  for (const bound of bounds.sort(compare)) {
    if (best.length === end && compare(best.at(-1)!, bound) <= 0) break
    const own = await toMatches(plan, bound.run)
    best = mergeSorted(best, own.found.sort(compare).slice(0, end), compare, end)
  }
  return {
    segments: [
      {
        findings: counted.reduce((sum, { counts }) => sum + sumOf(ranks, counts.findings), 0),
        take: async (from, to) => best.slice(from, to),
      },
    ],
    rows: counted.reduce((sum, { counts }) => sum + sumOf(ranks, counts.rows), 0),
    gaps: sumGaps(unlisted),
  }
}

/** Reads all runs and keeps the findings up to the end of the page, as one segment. */
async function searchedSegments(plan: SearchPlan): Promise<Segments> {
  const compare = compareBy[plan.order]
  const { end } = toBounds(plan)
  const gaps: SearchGaps[] = []
  let best: FindingCandidate[] = []
  let findings = 0
  let rows = 0
  for (const run of plan.runs) {
    const own = await toMatches(plan, run)
    findings += own.found.length
    rows += own.found.reduce((sum, { count }) => sum + count, 0)
    gaps.push(own.gaps)
    // A finding after the page within its own run is after it in the whole response.
    best = mergeSorted(best, own.found.sort(compare).slice(0, end), compare, end)
  }
  const take = async (from: number, to: number) => best.slice(from, to)
  return { segments: [{ findings, take }], rows, gaps: sumGaps(gaps) }
}

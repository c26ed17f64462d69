import type { Findings } from '../../contract/finding.ts'
import type { Db } from '../../db/open.ts'
import { newsSince, zoneOr } from '../../reports/news-since.ts'
import { toCoverage } from '../../reports/run-coverage.ts'
import { formatTimestamp } from '../../util/time.ts'
import { chooseLatestRuns } from '../runs/latest.ts'
import { type Asking, findAccepting } from './accepting.ts'
import { findOwnershipFor } from './ownership.ts'
import { countAccepted } from './search-count.ts'
import type { SearchGaps } from './search-gaps.ts'
import { groupRuns } from './search-groups.ts'
import { toItems } from './search-items.ts'
import { choosePage, toBounds } from './search-page.ts'
import { type FindingQuery, planSearch, type SearchPlan } from './search-plan.ts'

/** Lists findings of the latest runs, or of one run, in pages. Reads texts for the page only, unless a filter needs more. */
export async function listFindings(
  db: Db,
  query: FindingQuery,
  { vault, now, timeZone }: Omit<Asking, 'ownerId'>,
): Promise<Findings> {
  const stored = await chooseLatestRuns(db, query)
  const accepting = await findAccepting(db, { ownerId: query.ownerId, vault, now })
  const ownership = await findOwnershipFor(db, query.ownerId, vault)
  const { since = newsSince(query.runId === undefined ? now : stored[0]!.at, timeZone) } = query
  const plan = await planSearch(db, query, stored, { vault: await vault(), accepting, ownership, since })
  const { gaps, ...found } = query.groupBy ? await pageOfGroups(plan, query.groupBy) : await pageOfFindings(plan)
  return {
    page: query.page,
    per_page: query.perPage,
    total: found.total,
    total_pages: Math.ceil(found.total / query.perPage),
    findings: found.findings,
    rows: found.rows,
    group_by: query.groupBy ?? null,
    items: found.items,
    groups: found.groups,
    since: formatTimestamp(since),
    time_zone: zoneOr(timeZone),
    looked_at: { ...toCoverage(stored, now), ...gaps, accepted_findings: await countAccepted(plan) },
  }
}

type Found = Pick<Findings, 'total' | 'findings' | 'rows' | 'items' | 'groups'> & { gaps: SearchGaps }

async function pageOfFindings(plan: SearchPlan): Promise<Found> {
  const { total, rows, chosen, gaps } = await choosePage(plan)
  return { total, findings: total, rows, items: await toItems(plan, chosen), groups: [], gaps }
}

async function pageOfGroups(plan: SearchPlan, by: NonNullable<Findings['group_by']>): Promise<Found> {
  const { groups, ...found } = await groupRuns(plan, by)
  const { start, end } = toBounds(plan)
  return {
    total: groups.length,
    items: [],
    groups: groups.slice(start, end),
    ...found,
  }
}

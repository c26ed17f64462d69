import type { Client, RouteCaller } from '../../../client/client.ts'
import type { Context } from '../../../context.ts'
import type { RunGate } from '../../../contract/gate-verdict.ts'
import type { ReceivedRun } from '../../../contract/received/cluster-report.ts'
import { bySeverity } from '../../../contract/severity-rank.ts'
import { insteadOf, ReltError } from '../../../errors.ts'
import type { ListedFindings, RunReport } from '../../../html/report/report.ts'
import { type ListedFinding, listFindings } from '../../../reports/list-findings.ts'
import { compareWithPrevious, listStoredFindings } from '../../../submit/follow-up.ts'
import type { Judgement } from '../../../submit/judge.ts'
import { recordRule } from '../../../submit/record-verdict.ts'
import { formatTimestamp } from '../../../util/time.ts'
import { version } from '../../../version.ts'
import { Redactor } from '../../../views/redaction.ts'
import type { Part } from '../../../views/view.ts'

/** Parts of a page other than the run, its gate and its findings. */
export interface ReportParts {
  compare: boolean
  freshness: boolean
  /** Number of days to look back. */
  trends: number | undefined
}

/** A file next to the page lists findings beyond the page's limit; a second request would take as long. */
const everyFinding = 1_000_000

export const everyPart: ReportParts = { compare: true, freshness: true, trends: 30 }

/** Collects the data about a stored run. A part that the server does not return is missing, with the reason. */
export async function gatherReport(
  context: Context,
  run_id: string,
  { compare, freshness, trends }: ReportParts,
  judgement?: Judgement,
): Promise<RunReport> {
  const client = await context.client()
  const run = await client.call('getReport', { params: { run_id } })
  return {
    run,
    ...(await toOrigin(context)),
    isQueued: false,
    gate: gateFor(run, judgement, context.now()),
    comparison: compare
      ? await toPart(() => compareWithPrevious(client, run_id), 'The cluster has no earlier run of this scanner.')
      : left('--compare'),
    findings: await toPart(() => findFindings(client, run)),
    freshness: freshness
      ? await toPart(() => client.call('reportFreshness', { params: { run_id } }))
      : left('--freshness'),
    upgrade: freshness ? await toPart(() => client.call('getUpgradePlan', { query: { run_id } })) : left('--freshness'),
    trends:
      trends === undefined
        ? left('--trends DAYS')
        : await toPart(() => findTrend(client, run, trends), 'The server does not say which cluster the run is of.'),
  }
}

/** For a report that is queued for its server: all data comes from the report itself. */
export async function describeQueued(
  context: Context,
  { run, report, judgement }: { run: ReceivedRun; report: Uint8Array; judgement?: Judgement | undefined },
): Promise<RunReport> {
  const missing = 'The report waits for its server, which has not answered yet.'
  return {
    run,
    ...(await toOrigin(context)),
    isQueued: true,
    gate: gateFor(run, judgement, context.now()),
    comparison: { missing },
    findings: await toPart(async () => byCheck(await listFindings(report, run.format))),
    freshness: { missing },
    upgrade: { missing },
    trends: { missing },
  }
}

export async function toOrigin(context: Context) {
  const server = await context.server()
  return {
    madeAt: context.now(),
    version,
    csv: null,
    redactor: new Redactor([]),
    server: server ? new URL(server.url).host : null,
  }
}

const left = (option: string) => ({
  missing: `It was left out of this page. Add ${option}, or name no part to have all.`,
})

export async function toPart<T>(ask: () => Promise<T | undefined>, none = ''): Promise<Part<T>> {
  try {
    const found = await ask()
    return found === undefined ? { missing: none } : { found }
  } catch (error) {
    if (!(error instanceof ReltError) || error.code === 'cancelled') throw error
    return { missing: error.message, isForeign: true }
  }
}

/** A verdict counts even if it could not be recorded. */
function gateFor({ gate }: ReceivedRun, judgement: Judgement | undefined, now: number): Part<RunGate> {
  if (gate) return { found: gate }
  if (!judgement) return { missing: 'No gate has judged this run.' }
  const { policy, result } = judgement
  const at = formatTimestamp(now)
  const name = policy.name ?? policy.rules.map(({ text }) => text).join(' ')
  const { verdict, rules, exceptions, undecided_lines } = result
  const own = {
    verdict,
    rules: rules.map(recordRule),
    exceptions: exceptions.used,
    undecided_lines: undecided_lines.used.map(({ reason = '', ...line }) => ({ ...line, reason })),
    at,
    by: 'this command',
  }
  return { found: { verdict, at, policies: [{ ...own, policy: { name, digest: '' } }] } }
}

/** The trend of the run's scanner. */
async function findTrend(client: RouteCaller, { cluster_name, environment, format }: ReceivedRun, days: number) {
  if (cluster_name === null) return undefined
  const trends = await client.call('reportTrends', {
    query: { cluster_name, ...(environment !== null && { environment }), window_days: days },
  })
  const all = 'clusters' in trends ? trends.clusters : [trends, ...(trends.other_scanners ?? [])]
  const trend = all.find((each) => each.format === undefined || each.format === format)
  return { days: trends.window_days ?? days, points: trend?.points ?? [] }
}

/** Findings by check; from the report itself if the server has no such list. */
async function findFindings(client: Client, run: ReceivedRun) {
  const listing = client.call('listRunFindings', { params: { run_id: run.run_id }, query: { limit: everyFinding } })
  const listed = await listing.catch(insteadOf(['not_found', 'bad_answer'], undefined))
  if (listed) return listed
  const found = await listStoredFindings(client, run)
  if (!found) throw new ReltError('bad_answer', 'The server lists no findings of a run.')
  return byCheck(found)
}

function byCheck(all: ListedFinding[]): ListedFindings {
  const open = all.filter(({ suppressed }) => !suppressed)
  const suppressed = all.flatMap(({ suppressed, ...finding }) => (suppressed ? [{ ...finding, ...suppressed }] : []))
  const checks = [...Map.groupBy(open, ({ check_id }) => check_id).values()].map((findings) => {
    const [worst] = findings.sort(bySeverity)
    const { check_id, check_name, category, severity, recommendation = null, url = null } = worst!
    const rows = toRows(findings)
    return {
      check_id,
      check_name,
      category,
      severity,
      recommendation,
      url,
      findings: findings.length,
      rows,
      unlisted_rows: 0,
      points: null,
      own: findings,
    }
  })
  checks.sort((a, b) => bySeverity(a, b) || b.findings - a.findings)
  return {
    findings: open.length,
    rows: toRows(open),
    basis: null,
    excluded_namespaces: null,
    checks: checks.map(({ own: _, ...check }) => check),
    items: checks.flatMap(({ own }) => own),
    suppressed,
    suppressed_count: suppressed.length,
  }
}

const toRows = (findings: { count?: number | undefined }[]) => findings.reduce((sum, { count = 1 }) => sum + count, 0)

import type { Client } from '../../../client/client.ts'
import type { FindingDetails, FindingGroup, FindingListItem, Findings } from '../../../contract/finding.ts'
import type { ReceivedRun } from '../../../contract/received/cluster-report.ts'
import type { RouteInput } from '../../../contract/routes.ts'
import { bySeverity } from '../../../contract/severity-rank.ts'
import { notFound, ReltError } from '../../../errors.ts'
import { rankFor } from '../../../reports/finding-index.ts'
import { proposeFix } from '../../../reports/fix/propose.ts'
import { type ListedFinding, listFindings } from '../../../reports/list-findings.ts'
import { toCoverage } from '../../../reports/run-coverage.ts'
import { matchesFilter } from '../../../reports/select-findings.ts'
import { slicePage } from '../../../util/page.ts'
import { formatTimestamp, parseTimestamp, type UnixSeconds } from '../../../util/time.ts'
import { scannedAt } from '../../../views/scan.ts'
import type { Cli } from '../../program/command.ts'
import { sketchEach } from '../clusters/other-server.ts'
import { type ClusterOptions, clusterQuery } from '../reports/cluster.ts'
import type { RunQuery } from './choice.ts'

type Query = RunQuery & NonNullable<RouteInput<'listFindings'>['query']>
type State = FindingListItem['state']

/** States that follow from a single report. */
const known: readonly State[] = ['open', 'suppressed']

/** Reads findings from the reports of the chosen runs, for a server that does not list them. */
export async function listFromReports(cli: Cli, query: Query): Promise<Findings> {
  const states = `${query.state ?? 'open'}`.split(',') as State[]
  const unknown = states.find((state) => !known.includes(state))
  if (unknown) {
    const lacking = `This server has no lists of findings, and a report alone does not say which are ${unknown}.`
    throw new ReltError('not_found', lacking, { hint: 'Compare two runs: relt reports compare' })
  }
  const runs = await openRuns(cli, query)
  const severities = query.severity === undefined ? undefined : (`${query.severity}`.split(',') as never)
  const filter = { ...query, severities }
  const found = runs.flatMap(({ run, findings }) =>
    findings
      .map((finding) => toItem(run, finding))
      .filter((item) => states.includes(item.state))
      .filter((item) => matchesFilter(filter, toSubject(item))),
  )
  found.sort((a, b) => bySeverity(a, b) || a.check_id.localeCompare(b.check_id, 'en'))
  const groups = query.group_by ? toGroups(found, query.group_by) : []
  const choice = { page: Number(query.page ?? 1), perPage: Number(query.per_page ?? 20) }
  return {
    ...slicePage<unknown>(query.group_by ? groups : found, choice),
    ...{ findings: found.length, rows: toRows(found), group_by: query.group_by ?? null },
    items: query.group_by ? [] : slicePage(found, choice).items,
    groups: slicePage(groups, choice).items,
    looked_at: coverageFor(runs, cli.context.now()),
  }
}

/** A finding by its fingerprint or a prefix of it. */
export async function findInReports(cli: Cli, fingerprint: string, query: RunQuery): Promise<FindingDetails> {
  const asked = fingerprint.toLowerCase()
  const runs = await openRuns(cli, query)
  const seen = runs.flatMap(({ run, findings }) =>
    findings.filter((each) => each.fingerprint.startsWith(asked)).map((finding) => ({ run, finding })),
  )
  const ids = new Set(seen.map(({ finding }) => finding.fingerprint))
  const [first] = seen
  if (!first || asked.length < 4) throw notFound('finding', fingerprint)
  if (ids.size > 1)
    throw new ReltError('conflict', `Several findings begin with ${fingerprint}.`, { hint: 'Give more of the id.' })
  const { finding, run } = first
  const { suppressed, recommendation = null, url = null, ...rest } = finding
  const format = run.format ?? 'kubebuddy'
  const proposal = proposeFix({ ...finding, format })
  return {
    success: true,
    finding: {
      ...rest,
      ...{ format, recommendation, url },
      ...{ reason: suppressed?.reason ?? null, suppressed_until: suppressed?.until ?? null },
    },
    run_id: run.run_id,
    ...(proposal && { proposal }),
    clusters: seen.map((each) => ({
      ...placeFor(each.run),
      state: each.finding.suppressed ? ('suppressed' as const) : ('open' as const),
      ...{ first_seen_at: null, first_run_id: null, doubt: null },
      ...{ last_seen_at: scannedAt(each.run), last_run_id: each.run.run_id },
      ...{ latest_run_id: each.run.run_id, latest_scan_at: scannedAt(each.run) },
    })),
    clusters_total: seen.length,
  }
}

interface OpenedRun {
  run: ReceivedRun
  findings: ListedFinding[]
}

async function openRuns(cli: Cli, query: RunQuery): Promise<OpenedRun[]> {
  const client = await cli.context.client()
  return Array.fromAsync(await chooseIds(client, query), async (run_id) => {
    const { report, ...run } = await client.call('getReport', { params: { run_id }, query: { include_report: true } })
    if (report == null) throw new ReltError('bad_answer', `The server does not send the report of the run ${run_id}.`)
    const findings = await listFindings(Buffer.from(JSON.stringify(report)), run.format ?? 'auto')
    return { run: { ...run, run_id }, findings }
  })
}

/** The latest run of each requested cluster. */
async function chooseIds(client: Client, query: RunQuery): Promise<string[]> {
  const { run_id, cluster_name: cluster, environment } = query
  if (run_id !== undefined) return [run_id]
  const latestOf = async (place: ClusterOptions): Promise<string[]> => {
    const { items } = await client.call('listReports', { query: { ...clusterQuery(place), per_page: 1 } })
    return items.slice(0, 1).map((latest) => latest.run_id)
  }
  if (cluster !== undefined) return latestOf({ cluster, environment })
  const ids: string[] = []
  for (const each of await sketchEach(client, { environment })) {
    if (environment !== undefined && each.environment !== environment) continue
    // Trends may have no run ids.
    const place = { cluster: each.cluster_name, environment: each.environment ?? undefined }
    ids.push(...(each.run_id ? [each.run_id] : await latestOf(place)))
  }
  return ids
}

const placeFor = ({ cluster_name, environment }: ReceivedRun) => ({
  cluster_name: cluster_name ?? 'unknown',
  environment: environment ?? '-',
})

function toItem(run: ReceivedRun, finding: ListedFinding): FindingListItem {
  const { suppressed, recommendation: _, url: __, ...rest } = finding
  return {
    ...rest,
    ...placeFor(run),
    state: suppressed ? 'suppressed' : 'open',
    ...{ run_id: run.run_id, format: run.format ?? 'kubebuddy', seen_at: scannedAt(run) ?? formatTimestamp(0) },
    ...{ first_seen_at: null, reason: suppressed?.reason ?? null, suppressed_until: suppressed?.until ?? null },
  }
}

const toSubject = ({ severity, check_id, check_name, namespace, resource, message, value }: FindingListItem) => ({
  ...{ rank: severity === null ? null : rankFor(severity), checkId: check_id, checkName: check_name },
  ...{ namespace, resource, message, value },
})

const toRows = (items: FindingListItem[]): number => items.reduce((sum, { count = 1 }) => sum + count, 0)

function toGroups(items: FindingListItem[], by: NonNullable<Findings['group_by']>): FindingGroup[] {
  const toKey: Record<typeof by, (item: FindingListItem) => string | null> = {
    check: ({ check_id }) => check_id,
    namespace: ({ namespace }) => namespace,
    resource: ({ namespace, resource }) => [namespace, resource].filter(Boolean).join(' ') || null,
    severity: ({ severity }) => severity,
    // Other servers have no rules of owners.
    owner: () => null,
    cluster: ({ cluster_name, environment }) => `${cluster_name} (${environment})`,
  }
  return [...Map.groupBy(items, toKey[by])].map(([key, own]) => ({
    key,
    name: by === 'check' ? own[0]!.check_name : null,
    severity: own[0]!.severity,
    ...{ findings: own.length, rows: toRows(own), clusters: new Set(own.map(toKey.cluster)).size },
  }))
}

function coverageFor(runs: OpenedRun[], now: UnixSeconds): Findings['looked_at'] {
  const covered = runs.map(({ run, findings }) => ({
    clusterId: JSON.stringify(placeFor(run)),
    at: parseTimestamp(scannedAt(run) ?? '') ?? 0,
    run: {
      ...{ ...run, ...placeFor(run), format: run.format ?? ('kubebuddy' as const) },
      suppressed_findings: findings.filter((each) => each.suppressed).length,
    },
  }))
  return {
    ...toCoverage(covered, now),
    ...{ unlisted_rows: null, without_earlier_run: null, incomparable_findings: null },
  }
}

import type { RunGate } from '../../../contract/gate-verdict.ts'
import type { ReceivedCluster } from '../../../contract/received/cluster.ts'
import type { ReceivedFreshnessItem } from '../../../contract/received/cluster-report.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { ago } from '../../../util/ago.ts'
import { shownState, urgencyOf } from '../../../views/artifact.ts'
import { reasonsOf } from '../../../views/attention.ts'
import { judgedLatest } from '../../../views/gate.ts'
import { type ScannerRow, scannerRows } from '../../../views/scanners.ts'
import { gapsText, hasGaps, markedScore } from '../../../views/score.ts'
import { hasBadState, stateWords } from '../../../views/state.ts'
import { stepWord } from '../../../views/step.ts'
import { formatEvery } from '../../input/interval.ts'
import { renderDetails } from '../../output/details.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { runRemarks } from '../../output/remarks.ts'
import { sparkline, wantsAscii } from '../../output/sparkline.ts'
import type { Cli } from '../../program/command.ts'
import { verb } from '../../program/verb.ts'
import { gateText, renderRecorded } from '../gate/recorded-view.ts'
import { findAnyCluster } from './load.ts'
import { sketchRemarks } from './other-server.ts'
import { paintChange, signed } from './view.ts'

export default verb({
  name: 'show',
  summary: 'Show the figures and settings of a cluster',
  examples: ['relt clusters show prod-eu', 'relt clusters show prod-eu/prod --json'],
  args: [['<cluster>', 'name, name/environment or id']],
  run: async (cli, typed) => {
    const cluster = await findAnyCluster(cli, typed)
    const now = cli.context.now()
    await show(cli, {
      body: cluster,
      text: async (io) => {
        const behind = await listBehind(cli, cluster)
        const details = render(io, cluster, { now, isAscii: wantsAscii(cli.context.env), behind })
        const gates = await Promise.all(scannerRows([cluster]).map((row) => findGate(cli, row)))
        return `${details}${gates.map((gate) => renderRecorded(io, gate)).join('')}`
      },
      remarks: [
        ...(cluster.cluster_id ? [] : sketchRemarks),
        ...runRemarks([{ ...cluster, seen_at: cluster.last_scan }], now),
      ],
    })
  },
})

const mostNamed = 6

function named(texts: string[]): string {
  const more = texts.length - mostNamed
  return [...texts.slice(0, mostNamed).map(plain), ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

/** `redis 7.0.13 → 7.4.9`, the most urgent first; nothing where the latest run says nothing of it. */
async function listBehind(cli: Cli, { freshness, latest_run: run }: ReceivedCluster): Promise<string[]> {
  if (!run || !freshness) return []
  const { minor_behind, major_behind, compromised = 0, retired = 0 } = freshness
  if (minor_behind + major_behind + compromised + retired === 0) return []
  const client = await cli.context.client()
  const { items } = await client.call('reportFreshness', { params: { run_id: freshness.run_id ?? run.run_id } })
  const open = items.filter((item) => item.status.endsWith('_behind') || hasBadState(item))
  return [...new Set(open.sort((a, b) => urgencyOf(b) - urgencyOf(a)).map(describeItem))]
}

function describeItem(item: ReceivedFreshnessItem): string {
  const { display_name, current_version, latest_version, steps } = item
  const state = shownState(item)
  const step = steps ? stepWord(item) || 'no step' : (latest_version ?? '?')
  const what = `${nameWithout(display_name ?? '-', current_version)} ${current_version ?? '?'}`
  return `${what}${state ? ` (${stateWords[state]})` : ''} → ${step}`
}

/** The version has its own place. */
const nameWithout = (name: string, version: string | null): string =>
  version && name.endsWith(version) ? name.slice(0, -version.length - 1) : name

/** Why the gate decided so is known of a single run. */
async function findGate(cli: Cli, { gate, latest_run }: ReceivedCluster): Promise<RunGate | null | undefined> {
  if (!gate || !latest_run) return undefined
  const client = await cli.context.client()
  return (await client.call('getReport', { params: { run_id: latest_run.run_id } })).gate
}

function render(
  io: Io,
  cluster: ReceivedCluster,
  { now, isAscii, behind }: { now: number; isAscii: boolean; behind: string[] },
): string {
  const { freshness } = cluster
  const place = [cluster.environment, cluster.provider, cluster.region, cluster.kubernetes_version].filter(Boolean)
  const rows = scannerRows([cluster])
  const reasons = reasonsOf(cluster, now)
  return renderDetails(io, [
    ['Cluster', `${io.color.bold(plain(cluster.cluster_name))} (${plain(place.join(', '))})`],
    ...(cluster.cluster_id ? settingsOf(cluster) : []),
    ...rows.flatMap((row) => scannerLines(io, row, { now, isAscii })),
    ['Versions', describeFreshness(freshness)],
    ...(behind.length > 0 ? [['Behind', named(behind)] satisfies [string, string]] : []),
    ['Attention', reasons.length > 0 ? plain(reasons.join(', ')) : cluster.attention === null ? 'unknown' : 'none'],
  ])
}

/** What is known by one scanner. */
function scannerLines(
  io: Io,
  row: ScannerRow<ReceivedCluster>,
  { now, isAscii }: { now: number; isAscii: boolean },
): [string, string][] {
  const { latest_run: run, changes, gate, last_scan, scores, scanner } = row
  const scanned = last_scan === null ? 'never' : `${last_scan} (${ago(last_scan, now)})`
  const unclear = run?.score_comparable === true ? '' : ', not comparable'
  const change = run?.score_delta == null ? '' : ` (${signed(run.score_delta)}${unclear})`
  const gaps = run && hasGaps(run) ? io.color.yellow(`  with gaps: ${gapsText(run)}`) : ''
  const score = `${markedScore(run?.score, run ?? {})}${paintChange(io, run)(change)}  ${sparkline(scores ?? [], { isAscii })}`
  return [
    ...(scanner ? [['Scanner', io.color.bold(scanner)] satisfies [string, string]] : []),
    ['Scanned', `${scanned}${row.overdue ? io.color.red(', overdue') : ''}`],
    ['Latest run', run ? plain(run.run_id) : 'none'],
    ['Score', run?.score == null ? 'none' : `${score}${gaps}`],
    ['Changes', changes ? describeChanges(changes) : row.has_figures ? 'first run' : 'unknown'],
    ...(row.cluster_id ? [['Gate', gateText(io, gate, judgedLatest(row, now), now)] satisfies [string, string]] : []),
  ]
}

function settingsOf(cluster: ReceivedCluster): [string, string][] {
  const { cluster_id, labels } = cluster
  return [
    ['ID', plain(cluster_id)],
    ['Labels', labels && labels.length > 0 ? plain(labels.join(', ')) : 'none'],
    ['Expected', describeExpected(cluster)],
  ]
}

function describeExpected({ expected_every, expected_reports: expected }: ReceivedCluster): string {
  if (expected)
    return `every ${formatEvery(expected.every)}${expected.set_by === 'agent' ? ', by the schedule of an agent' : ''}`
  return expected_every === null ? 'no interval is set' : `every ${formatEvery(expected_every)}`
}

function describeChanges(changes: NonNullable<ReceivedCluster['changes']>): string {
  const { new_findings, regressed_findings, resolved_findings } = changes
  return `${new_findings} new, ${regressed_findings} regressed, ${resolved_findings} resolved`
}

function describeFreshness(freshness: ReceivedCluster['freshness']): string {
  if (!freshness) return 'unknown'
  if (freshness.artifacts === 0) return 'no run lists what runs there'
  const { artifacts, known, minor_behind, major_behind, affected, ended, ending } = freshness
  const { compromised = 0, exploited = 0, retired = 0 } = freshness
  // Kubernetes can be behind, and is no artifact.
  const counts = `${minor_behind + major_behind} behind (${major_behind} major), ${known} of ${artifacts} artifacts known`
  const supports = `${ended} out of support, ${ending} near its end${retired > 0 ? `, ${retired} of retired projects` : ''}`
  const first = compromised > 0 ? `${compromised} compromised; ` : ''
  const used = exploited > 0 ? ` (${exploited} exploited)` : ''
  const stale = freshness.is_current ? '' : ', by an older catalog'
  return `${first}${counts}; ${affected} with advisories${used}; ${supports}${stale}`
}

import type { RunGate } from '../../../contract/gate-verdict.ts'
import type { ReceivedCluster } from '../../../contract/received/cluster.ts'
import { drawSaid } from '../../../render/terminal/draw.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { andMore } from '../../../util/words.ts'
import { behindLines } from '../../../views/behind-lines.ts'
import { attentionText, expectedText, scannerDetails, versionsText } from '../../../views/cluster.ts'
import { type ScannerRow, scannerRows } from '../../../views/scanners.ts'
import { renderDetails } from '../../output/details.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { runRemarks } from '../../output/remarks.ts'
import { sparkline, wantsAscii } from '../../output/sparkline.ts'
import type { Cli } from '../../program/command.ts'
import { verb } from '../../program/verb.ts'
import { renderRecorded } from '../gate/recorded-view.ts'
import { findAnyCluster } from './load.ts'
import { sketchRemarks } from './other-server.ts'

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
  return [...texts.slice(0, mostNamed).map(plain), ...(more > 0 ? [andMore(more)] : [])].join('\n')
}

/** `redis 7.0.13 → 7.4.9`, most urgent first; empty if the latest run has no inventory. */
async function listBehind(cli: Cli, { freshness, latest_run: run }: ReceivedCluster): Promise<string[]> {
  if (!run || !freshness) return []
  const { minor_behind, major_behind, compromised = 0, retired = 0 } = freshness
  if (minor_behind + major_behind + compromised + retired === 0) return []
  const { items } = await cli.call('reportFreshness', { params: { run_id: freshness.run_id ?? run.run_id } })
  return behindLines(items)
}

/** Only a request for a single run returns the gate's reasons. */
async function findGate(cli: Cli, { gate, latest_run }: ReceivedCluster): Promise<RunGate | null | undefined> {
  if (!gate || !latest_run) return undefined
  return (await cli.call('getReport', { params: { run_id: latest_run.run_id } })).gate
}

function render(
  io: Io,
  cluster: ReceivedCluster,
  { now, isAscii, behind }: { now: number; isAscii: boolean; behind: string[] },
): string {
  const place = [cluster.environment, cluster.provider, cluster.region, cluster.kubernetes_version].filter(Boolean)
  const rows = scannerRows([cluster])
  return renderDetails(io, [
    ['Cluster', `${io.color.bold(plain(cluster.cluster_name))} (${plain(place.join(', '))})`],
    ...(cluster.cluster_id ? settingsFor(cluster) : []),
    ...rows.flatMap((row) => scannerLines(io, row, { now, isAscii })),
    ['Versions', versionsText(cluster)],
    ...(behind.length > 0 ? [['Behind', named(behind)] satisfies [string, string]] : []),
    ['Attention', plain(attentionText(cluster, now))],
  ])
}

/** The figures of one scanner. */
function scannerLines(
  io: Io,
  row: ScannerRow<ReceivedCluster>,
  { now, isAscii }: { now: number; isAscii: boolean },
): [string, string][] {
  const scores = sparkline(row.scores ?? [], { isAscii })
  return [
    ...(row.scanner ? [['Scanner', io.color.bold(row.scanner)] satisfies [string, string]] : []),
    ...scannerDetails(row, now).map(({ key, title, lines: [line = []] }): [string, string] => [
      title,
      `${drawSaid(io, line)}${key === 'score' && row.latest_run?.score != null ? `  ${scores}` : ''}`,
    ]),
  ]
}

function settingsFor(cluster: ReceivedCluster): [string, string][] {
  const { cluster_id, labels } = cluster
  return [
    ['ID', plain(cluster_id)],
    ['Labels', labels && labels.length > 0 ? plain(labels.join(', ')) : 'none'],
    ['Expected', expectedText(cluster) ?? 'no interval is set'],
  ]
}

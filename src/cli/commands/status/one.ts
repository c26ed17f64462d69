import type { ReceivedCluster } from '../../../contract/received/cluster.ts'
import type { ReceivedRun } from '../../../contract/received/cluster-report.ts'
import { unlessCancelled } from '../../../errors.ts'
import { drawSaid, drawVerdict } from '../../../render/terminal/draw.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { ago } from '../../../util/ago.ts'
import { andMore } from '../../../util/words.ts'
import { expectedText, scannerDetails, versionsText } from '../../../views/cluster.ts'
import { changeText, changeTone, clusterVerdict, groupsSaid, reasonLines } from '../../../views/fleet.ts'
import { type Said, safe } from '../../../views/said.ts'
import { clusterPiece } from '../../../views/scan.ts'
import { type ScannerRow, scannerRows } from '../../../views/scanners.ts'
import { markedScore } from '../../../views/score.ts'
import { figureSaid, type UpgradeFigure, upgradeFigure } from '../../../views/upgrade.ts'
import { renderDetails } from '../../output/details.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { runRemarks } from '../../output/remarks.ts'
import { sparkline, wantsAscii } from '../../output/sparkline.ts'
import type { Cli } from '../../program/command.ts'
import { findAnyCluster, loadClusters } from '../clusters/load.ts'
import { sketchRemarks } from '../clusters/other-server.ts'

/** Shows all reasons of one cluster; `-o wide` adds its settings and figures. */
export async function showOne(cli: Cli, name: string, since: { since?: string }) {
  const cluster = await withRhythm(cli, await findAnyCluster(cli, name), since)
  const upgrade = await planFor(cli, cluster)
  const isAscii = wantsAscii(cli.context.env)
  await show(cli, {
    body: { ...cluster, upgrade },
    text: (io, now) => {
      const reasons = render(io, cluster, { upgrade, now })
      return cli.wide ? `${reasons}${renderFigures(io, cluster, { now, isAscii })}` : reasons
    },
    remarks: [
      ...(cluster.cluster_id ? [] : sketchRemarks),
      ...runRemarks([{ ...cluster, seen_at: cluster.last_scan }], cli.context.now()),
    ],
  })
}

/** What is known of the cluster of a run, after it was stored. */
export async function statusText(cli: Cli, { cluster_name, environment }: ReceivedRun) {
  const cluster = await withRhythm(cli, await findAnyCluster(cli, `${cluster_name}/${environment}`), {})
  return render(cli.io, cluster, { upgrade: await planFor(cli, cluster), now: cli.context.now() })
}

/** Only the list has the usual scan interval of a cluster, and news since another time. */
async function withRhythm(cli: Cli, found: ReceivedCluster, since: { since?: string }) {
  const { cluster_name, environment, cluster_id } = found
  if (!cluster_id) return found
  const { items } = await loadClusters(cli, { cluster_name, environment, learn: true, ...since, per_page: 1 })
  return items[0] ?? found
}

/** Upgrade to the next minor version of Kubernetes; null if the server does not support plans. */
async function planFor(cli: Cli, { cluster_name, environment }: ReceivedCluster) {
  const found = cli.call('getUpgradePlan', { query: { cluster_name, environment } })
  return found.then(upgradeFigure).catch(unlessCancelled(null))
}

function render(io: Io, cluster: ReceivedCluster, { upgrade, now }: { upgrade: UpgradeFigure | null; now: number }) {
  const { latest_run: run, last_scan } = cluster
  const score = markedScore(run?.score, run ?? {}) ?? 'n/a'
  const change = changeText(run)
  const scanned = last_scan === null ? 'never scanned' : `scanned ${ago(last_scan, now)}`
  const changed = change ? ` ${drawSaid(io, [safe(change, changeTone(run))])}` : ''
  const verdict = clusterVerdict(cluster, now)
  const { ofNow, known, unknown } = reasonLines(cluster, now)
  const groups = ofNow.length === 0 && cluster.standing ? [] : groupsSaid(cluster, now)
  const list = (title: string, lines: Said[]) =>
    lines.length === 0 ? '' : `${title}\n${lines.map((line) => `  ${drawSaid(io, line)}\n`).join('')}`
  return [
    `${drawSaid(io, clusterPiece(cluster))}  score ${score}${changed}, ${scanned}\n`,
    `${drawVerdict(io, verdict)}\n`,
    ...groups.map((said) => `${drawSaid(io, said)}.\n`),
    list('Now', ofNow),
    list('Known', known),
    list('Not known', unknown),
    upgrade ? `Upgrade ${drawSaid(io, figureSaid(upgrade))}\n` : '',
  ].join('')
}

interface Drawing {
  now: number
  isAscii: boolean
}

function renderFigures(io: Io, cluster: ReceivedCluster, drawing: Drawing) {
  const rows = scannerRows([cluster])
  const place = [cluster.provider, cluster.region, cluster.kubernetes_version].filter((part) => part !== null)
  return renderDetails(io, [
    ...(cluster.cluster_id ? settingsFor(cluster) : []),
    ['Platform', plain(place.join(', '))],
    ...rows.slice(0, mostScanners).flatMap((row) => scannerLines(io, row, drawing)),
    ...(rows.length > mostScanners
      ? [['', `${andMore(rows.length - mostScanners)}: relt status --all -o wide`] satisfies [string, string]]
      : []),
    ['Versions', versionsText(cluster)],
  ])
}

/** The most urgent come first. */
const mostScanners = 5

function scannerLines(io: Io, row: ScannerRow<ReceivedCluster>, { now, isAscii }: Drawing): [string, string][] {
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

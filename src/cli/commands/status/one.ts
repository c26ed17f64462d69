import type { ReceivedCluster } from '../../../contract/received/cluster.ts'
import { unlessCancelled } from '../../../errors.ts'
import { drawSaid, drawVerdict } from '../../../render/terminal/draw.ts'
import { ago } from '../../../util/ago.ts'
import { changeText, changeTone, clusterVerdict, reasonLines } from '../../../views/fleet.ts'
import { type Said, safe } from '../../../views/said.ts'
import { clusterPiece } from '../../../views/scan.ts'
import { markedScore } from '../../../views/score.ts'
import { figureSaid, type UpgradeFigure, upgradeFigure } from '../../../views/upgrade.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import type { Cli } from '../../program/command.ts'
import { findAnyCluster, loadClusters } from '../clusters/load.ts'

/** Shows all reasons of one cluster. */
export async function showOne(cli: Cli, name: string): Promise<void> {
  const found = await findAnyCluster(cli, name)
  const cluster = await withRhythm(cli, found)
  const upgrade = await planFor(cli, cluster)
  await show(cli, { body: { ...cluster, upgrade }, text: (io, now) => render(io, cluster, { upgrade, now }) })
}

/** Only the list has the usual scan interval of a cluster. */
async function withRhythm(cli: Cli, found: ReceivedCluster): Promise<ReceivedCluster> {
  const { cluster_name, environment, cluster_id } = found
  if (!cluster_id) return found
  const { items } = await loadClusters(cli, { cluster_name, environment, learn: true, per_page: 1 })
  return items[0] ?? found
}

/** Upgrade to the next minor version of Kubernetes; null if the server does not support plans. */
async function planFor(
  { context }: Cli,
  { cluster_name, environment }: ReceivedCluster,
): Promise<UpgradeFigure | null> {
  const client = await context.client()
  const found = client.call('getUpgradePlan', { query: { cluster_name, environment } })
  return found.then(upgradeFigure).catch(unlessCancelled(null))
}

function render(
  io: Io,
  cluster: ReceivedCluster,
  { upgrade, now }: { upgrade: UpgradeFigure | null; now: number },
): string {
  const { latest_run: run, last_scan } = cluster
  const score = markedScore(run?.score, run ?? {}) ?? 'n/a'
  const change = changeText(run)
  const scanned = last_scan === null ? 'never scanned' : `scanned ${ago(last_scan, now)}`
  const changed = change ? ` ${drawSaid(io, [safe(change, changeTone(run))])}` : ''
  const verdict = clusterVerdict(cluster, now)
  const { ofNow, known, unknown } = reasonLines(cluster, now)
  const list = (title: string, lines: Said[]) =>
    lines.length === 0 ? '' : `${title}\n${lines.map((line) => `  ${drawSaid(io, line)}\n`).join('')}`
  return [
    `${drawSaid(io, clusterPiece(cluster))}  score ${score}${changed}, ${scanned}\n`,
    `${drawVerdict(io, verdict)}\n`,
    list('Now', ofNow),
    list('Known', known),
    list('Not known', unknown),
    upgrade ? `Upgrade ${drawSaid(io, figureSaid(upgrade))}\n` : '',
  ].join('')
}

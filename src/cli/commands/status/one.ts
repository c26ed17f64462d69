import type { ReceivedCluster } from '../../../contract/received/cluster.ts'
import { drawSaid, drawVerdict, paint } from '../../../render/terminal/draw.ts'
import { ago } from '../../../util/ago.ts'
import { changeText, changeTone, clusterVerdict, reasonLines } from '../../../views/fleet.ts'
import type { Said } from '../../../views/said.ts'
import { clusterPiece } from '../../../views/scan.ts'
import { markedScore } from '../../../views/score.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import type { Cli } from '../../program/command.ts'
import { findAnyCluster, loadClusters } from '../clusters/load.ts'

/** All reasons of one cluster. */
export async function showOne(cli: Cli, name: string): Promise<void> {
  const found = await findAnyCluster(cli, name)
  const cluster = await withRhythm(cli, found)
  await show(cli, { body: cluster, text: (io, now) => render(io, cluster, now) })
}

/** The list alone knows how often a cluster is usually scanned. */
async function withRhythm(cli: Cli, found: ReceivedCluster): Promise<ReceivedCluster> {
  const { cluster_name, environment, cluster_id } = found
  if (!cluster_id) return found
  const { items } = await loadClusters(cli, { cluster_name, environment, learn: true, per_page: 1 })
  return items[0] ?? found
}

function render(io: Io, cluster: ReceivedCluster, now: number): string {
  const { latest_run: run, last_scan } = cluster
  const score = markedScore(run?.score, run ?? {}) ?? 'n/a'
  const change = changeText(run)?.replace('\u2212', '-')
  const scanned = last_scan === null ? 'never scanned' : `scanned ${ago(last_scan, now)}`
  const changed = change ? ` ${paint(io, changeTone(run))(change)}` : ''
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
  ].join('')
}

import type { ReceivedCluster } from '../../../contract/received/cluster.ts'
import { ReltError } from '../../../errors.ts'
import { dataColumns, drawColumns } from '../../../render/terminal/draw.ts'
import { count } from '../../../util/words.ts'
import { clusterColumns } from '../../../views/cluster.ts'
import { type ScannerRow, scannerRows } from '../../../views/scanners.ts'
import { show } from '../../output/output.ts'
import { note, runRemarks, uploadFirst } from '../../output/remarks.ts'
import type { Cli } from '../../program/command.ts'
import { loadAllClusters, summaryRemarks } from '../clusters/load.ts'

type Row = ScannerRow<ReceivedCluster>

/**
 * Compares the latest run of each scanner in every cluster with its previous run. Throws `usage` for options about a single
 * cluster.
 */
export async function compareAll(
  cli: Cli,
  { cluster, environment, from, to }: Partial<Record<'cluster' | 'environment' | 'from' | 'to', string>>,
): Promise<void> {
  const odd = [cluster !== undefined && '--cluster', from !== undefined && '--from', to !== undefined && '--to'].find(
    Boolean,
  )
  if (odd) throw new ReltError('usage', `--all cannot be combined with ${odd}.`, { hint: 'Remove one of them.' })
  const { items, first } = await loadAllClusters(cli, { ...(environment && { environment }), sort: 'urgency' })
  const rows = scannerRows(items)
  const without = rows.filter(({ changes }) => !changes).length
  const now = cli.context.now()
  const columns = clusterColumns(now)
  const keys = ['cluster', 'environment', 'scanner', 'changes', 'change', 'score', 'scanned'] as const
  const shown = keys.map((key) => columns[key])
  const dated = items.flatMap(({ last_scan, ...item }) => (last_scan === null ? [] : { ...item, seen_at: last_scan }))
  await show<Row>(cli, {
    body: { success: true, items: items.map(toChanges) },
    rows,
    columns: (io) => (io.isTerminal ? drawColumns<Row>(io, shown, now) : dataColumns<Row>(shown)),
    remarks: [
      ...(without > 0 ? [note(`${count(without, 'row')} without an earlier run to compare with.`)] : []),
      ...summaryRemarks(first),
      ...runRemarks(dated, now),
    ],
    empty: uploadFirst,
    note: 'One cluster in detail: relt reports compare --cluster NAME',
  })
}

const toChanges = ({ cluster_name, environment, latest_run, changes, last_scan }: ReceivedCluster) => ({
  ...{ cluster_name, environment, seen_at: last_scan, run_id: latest_run?.run_id ?? null },
  ...{ score: latest_run?.score ?? null, score_delta: latest_run?.score_delta ?? null, changes: changes ?? null },
})

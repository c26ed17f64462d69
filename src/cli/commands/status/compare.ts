import type { ClusterComparison, ClusterDifference } from '../../../contract/cluster.ts'
import { paint } from '../../../render/terminal/draw.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { count } from '../../../util/words.ts'
import { plainText } from '../../../views/said.ts'
import { titles } from '../../../views/titles.ts'
import { blindSaid, sideTone } from '../../../views/versions.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { runRemarks, warning } from '../../output/remarks.ts'
import type { Cli } from '../../program/command.ts'
import { findCluster, pendingRemarks, toName } from '../clusters/load.ts'

/** Compares the versions that run in two clusters; `all` includes equal ones. */
export async function compareClusters(cli: Cli, from: string, to: string, all = false) {
  const clusters = [await findCluster(cli, from), await findCluster(cli, to)]
  const comparison = await cli.call('compareClusters', {
    query: { from: clusters[0]!.cluster_id, to: clusters[1]!.cluster_id },
  })
  const items = comparison.items.filter(({ difference }) => all || difference !== 'same')
  await show(cli, {
    body: { ...comparison, items },
    rows: items,
    columns: (io) => columns(io, comparison),
    remarks: remarksOn(comparison, cli.context.now()),
    empty:
      comparison.items.length > 0
        ? `${count(comparison.items.length, 'known project')} compared, all of the same versions. Artifacts of unknown projects are left out.`
        : 'No project is known to run in both.',
  })
}

const columns = (io: Io, { from, to }: ClusterComparison): Column<ClusterDifference>[] => {
  // Two environments of one cluster, or the same environment in two clusters.
  const isOneName = from.cluster_name === to.cluster_name
  const title = (cluster: typeof from) => (isOneName ? cluster.environment : cluster.cluster_name)
  const side = (key: 'from' | 'to', cluster: typeof from): Column<ClusterDifference> => ({
    title: title(cluster),
    value: (item) => item[key].join(', ') || null,
    style: (cell, item) => paint(io, sideTone(item, key))(cell),
    min: 8,
  })
  const differences = {
    same: 'same',
    from_behind: `${title(from)} is behind`,
    to_behind: `${title(to)} is behind`,
    other: 'differs',
    only_from: `only in ${title(from)}`,
    only_to: `only in ${title(to)}`,
  }
  return [
    { title: titles.project, value: ({ name }) => name, style: (cell) => io.color.bold(cell), min: 12 },
    { title: titles.type, value: ({ artifact_type }) => (artifact_type === 'helm_chart' ? 'chart' : 'app') },
    side('from', from),
    side('to', to),
    { title: 'Difference', value: ({ difference }) => differences[difference], min: 10 },
  ]
}

function remarksOn({ from, to, summary, pending }: ClusterComparison, now: number) {
  const both = [from, to]
  const blind = both.filter(({ run_id }) => run_id === null)
  return [
    ...(blind.length > 0 ? [warning(`${plain(plainText(blindSaid(blind.map(toName))))}.`)] : []),
    ...(summary.other ? [warning(`${count(summary.other, 'difference')} cannot be ordered by version.`)] : []),
    ...runRemarks(both, now, 'run with an inventory'),
    ...pendingRemarks(pending),
  ]
}

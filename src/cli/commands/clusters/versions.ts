import type { ClusterVersion, ClusterVersions } from '../../../contract/cluster.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { when } from '../../../util/ago.ts'
import { count, listed } from '../../../util/words.ts'
import { shownState, statusTone } from '../../../views/artifact.ts'
import { stateWords } from '../../../views/state.ts'
import { wayText } from '../../../views/step.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { note, type Remark, runRemarks, warning } from '../../output/remarks.ts'
import { verb } from '../../program/verb.ts'
import { chooseProject, resolveProject } from '../projects/resolve.ts'
import { loadClusters, nameOf, pendingRemarks } from './load.ts'

export default verb({
  name: 'versions',
  summary: 'List the versions of a project in all clusters',
  examples: ['relt clusters versions argo-cd', 'relt clusters versions kubernetes --json'],
  args: [['[project]', 'name or id of the project']],
  run: async (cli, typed) => {
    const product_id = Number(typed === undefined ? await chooseProject(cli) : await resolveProject(cli, typed))
    const client = await cli.context.client()
    const ask = () => client.call('listClusterVersions', { query: { product_id } })
    let found = await ask()
    if (found.summary.pending > 0) {
      await loadClusters(cli, { per_page: 1 })
      found = await ask()
    }
    const { product, items } = found
    await show(cli, {
      body: found,
      rows: items,
      columns,
      text: async (io, now) => {
        if (items.length === 0) return ''
        const { renderTable } = await import('../../../render/terminal/table.ts')
        const latest = product.latest_version === null ? '' : ` (latest release ${plain(product.latest_version)})`
        return `${io.color.bold(plain(product.name))}${latest}\n${renderTable(io, columns(io, now), items)}`
      },
      remarks: remarksOn(found, cli.context.now()),
      empty: `${product.name} is not known to run in any cluster.`,
    })
  },
})

const columns = ({ color, isTerminal }: Io, now: number): Column<ClusterVersion>[] => [
  { title: 'Cluster', value: ({ cluster_name }) => cluster_name, style: (cell) => color.bold(cell), min: 10 },
  { title: 'Environment', value: ({ environment }) => environment, min: 4 },
  {
    title: 'Version',
    value: versionOf,
    style: (cell, item) => ({ bad: color.red, warn: color.yellow, good: String, none: String })[statusTone(item)](cell),
    min: 8,
  },
  { title: 'Step', value: ({ step }) => (step ? wayText(step) : ''), min: 8 },
  {
    title: 'Artifact',
    value: ({ name, artifact_type }) => (artifact_type === 'helm_chart' ? `${name} (chart)` : name),
    min: 10,
  },
  {
    title: 'Releases behind',
    value: ({ releases_behind }) => (releases_behind === null ? null : String(releases_behind)),
    align: 'right',
  },
  {
    title: 'Days behind',
    value: ({ days_behind }) => (days_behind === null ? null : String(days_behind)),
    align: 'right',
    from: 90,
  },
  { title: 'Workloads', value: (item) => String(item.count), align: 'right', from: 110 },
  { title: 'Scanned', value: ({ seen_at }) => when(seen_at, { isTerminal, now }), from: 76 },
]

/** With the state that says more than its distance. */
function versionOf(item: ClusterVersion): string {
  const state = shownState(item)
  return `${item.version ?? 'unknown'}${state ? ` (${stateWords[state]})` : ''}`
}

function remarksOn({ summary, unknown, items }: ClusterVersions, now: number): Remark[] {
  const { clusters, running, with_inventory, pending } = summary
  const names = listed(unknown.map((cluster) => plain(nameOf(cluster))))
  const seen = [...new Map(items.map((item) => [item.cluster_id, item])).values()]
  return [
    note(`Runs in ${running} of ${count(with_inventory, 'cluster')} with an inventory.`),
    ...(unknown.length > 0 && clusters > 0 ? [warning(`No run says what runs in ${names}.`)] : []),
    ...runRemarks(seen, now, 'run with an inventory'),
    ...pendingRemarks(pending),
  ]
}

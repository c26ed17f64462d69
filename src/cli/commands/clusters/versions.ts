import type { ClusterVersions } from '../../../contract/cluster.ts'
import { drawColumns } from '../../../render/terminal/draw.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { count } from '../../../util/words.ts'
import { plainText } from '../../../views/said.ts'
import { blindSaid, foldedVersions, versionColumns } from '../../../views/versions.ts'
import { chosen } from '../../../views/view.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { catalogRemark, note, runRemarks, warning } from '../../output/remarks.ts'
import { verb } from '../../program/verb.ts'
import { chooseProject, resolveProject } from '../projects/resolve.ts'
import { loadClusters, pendingRemarks, toName } from './load.ts'

export default verb({
  name: 'versions',
  summary: 'List the versions of a project in all clusters',
  examples: ['relt clusters versions argo-cd', 'relt clusters versions kubernetes --json'],
  args: [['[project]', 'name or id of the project']],
  run: async (cli, typed) => {
    const product_id = Number(typed === undefined ? await chooseProject(cli) : await resolveProject(cli, typed))
    const ask = () => cli.call('listClusterVersions', { query: { product_id } })
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
        return `${io.color.bold(plain(product.name))}${latest}\n${renderTable(io, columns(io, now), foldedVersions(items))}`
      },
      remarks: remarksOn(found, cli.context.now()),
      empty: `${product.name} is not known to run in any cluster.`,
    })
  },
})

const shown = [
  ...chosen(versionColumns, 'cluster', 'environment', 'version', 'step', 'artifact'),
  ...chosen(versionColumns, 'releases_behind', 'days_behind', 'workloads', 'scanned'),
]

const columns = (io: Io, now: number) => drawColumns(io, shown, now)

function remarksOn({ summary, unknown, items, catalog_date }: ClusterVersions, now: number) {
  const { clusters, running, with_inventory, pending } = summary
  const seen = [...new Map(items.map((item) => [item.cluster_id, item])).values()]
  return [
    note(`Runs in ${running} of ${count(with_inventory, 'cluster')} with an inventory.`),
    catalogRemark(catalog_date, now),
    unknown.length > 0 && clusters > 0 && warning(`${plain(plainText(blindSaid(unknown.map(toName))))}.`),
    ...runRemarks(seen, now, 'run with an inventory'),
    ...pendingRemarks(pending),
  ]
}

import type { ClusterChange, FleetCluster } from '../../../contract/cluster.ts'
import type { ReceivedCluster } from '../../../contract/received/cluster.ts'
import { ReltError } from '../../../errors.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { sayDone } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { verb } from '../../program/verb.ts'
import { findCluster, toName } from './load.ts'

export default verb({
  name: 'rename',
  summary: 'Rename a cluster with all its runs',
  examples: ['relt clusters rename prod-eu shop-eu'],
  args: [
    ['<cluster>', 'name, name/environment or id'],
    ['<name>', 'new name'],
  ],
  run: async (cli, typed, name) => {
    const cluster = await findCluster(cli, typed)
    const changed = await changeCluster(cli, cluster, { cluster_name: name })
    await sayDone(cli, `Renamed ${toName(cluster)} to ${toName(changed)}`, changed)
    if (!cli.json) {
      const old = plain(cluster.cluster_name)
      cli.io.err(
        `Reports that name ${old} are stored as a cluster of that name. Upload them with --cluster ${plain(name)}.\n`,
      )
    }
  },
})

/** Throws `conflict` with the id of the cluster that has the new name. */
export async function changeCluster(
  { context }: Cli,
  { cluster_id }: Pick<ReceivedCluster, 'cluster_id'>,
  body: ClusterChange,
): Promise<FleetCluster> {
  const client = await context.client()
  try {
    return await client.call('updateCluster', { params: { cluster_id }, body })
  } catch (error) {
    if (!(error instanceof ReltError) || error.code !== 'conflict' || error.id === undefined) throw error
    throw new ReltError('conflict', error.message, {
      id: error.id,
      hint: `Its id is ${error.id}. Clusters are never merged: delete one, or choose another name.`,
      cause: error,
    })
  }
}

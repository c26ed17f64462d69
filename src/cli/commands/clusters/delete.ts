import { count } from '../../../util/words.ts'
import { confirm, yesOption } from '../../input/prompt.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { findCluster, toName } from './load.ts'

export default verb({
  name: 'delete',
  summary: 'Delete a cluster with all its runs and reports',
  examples: ['relt clusters delete shop-test/test', 'relt clusters delete shop-test --yes'],
  args: [['<cluster>', 'name, name/environment or id']],
  options: yesOption,
  run: async (cli, typed, { yes }) => {
    const { cluster_id, cluster_name, environment } = await findCluster(cli, typed)
    const query = { cluster_name, environment, per_page: 1 }
    const { total } = await cli.call('listReports', { query })
    const runs = total === null ? 'all its runs' : count(total, 'run')
    const name = toName({ cluster_name, environment })
    await confirm(cli, { yes }, `Permanently delete ${name} with ${runs}, their reports and its history?`)
    const answer = await cli.call('deleteCluster', { params: { cluster_id } })
    await sayDone(cli, `Deleted ${name} with ${runs}`, answer)
  },
})

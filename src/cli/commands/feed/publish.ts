import { feedKinds } from '../../../contract/choices.ts'
import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'
import { clusterQuery } from '../reports/cluster.ts'
import { chooseOneCluster } from '../reports/one-cluster.ts'

export default verb({
  name: 'publish',
  summary: 'Create the address of an Atom or calendar feed, and show it once',
  examples: [
    'relt feed publish releases',
    'relt feed publish changes --cluster prod-eu/prod',
    'relt feed publish support --json',
  ],
  args: [
    [
      '<kind>',
      'releases: new releases of your projects; changes: changes of a cluster; support: end-of-support dates',
      { choices: feedKinds },
    ],
  ],
  options: {
    '-c, --cluster <name>': 'cluster of a `changes` feed (default: RELT_CLUSTER, the cluster setting, or the only one)',
    '-e, --environment <name>': 'environment of the cluster',
  },
  run: async (cli, kind, options) => {
    const { cluster, environment } = kind === 'changes' ? await chooseOneCluster(cli, options) : options
    const client = await cli.context.client()
    const answer = await client.call('createFeed', {
      body: { kind, ...clusterQuery({ cluster, environment }) },
    })
    await show(cli, { body: answer, text: () => `${answer.url ?? answer.path}\n` })
    if (!cli.json) {
      if (!answer.url) cli.io.err('A server serves it below its own address: relt serve\n')
      cli.io.err(cli.io.errColor.dim('Whoever has the address can read the feed. It is not shown again.\n'))
    }
  },
})

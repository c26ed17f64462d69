import { parseClusterName } from '../../../config/cluster-name.ts'
import { feedKinds } from '../../../contract/choices.ts'
import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'

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
    '-c, --cluster <name>': 'cluster of a `changes` feed (default: the cluster of the latest upload)',
    '-e, --environment <name>': 'environment of the cluster',
  },
  run: async (cli, kind, options) => {
    const named = options.cluster === undefined ? undefined : parseClusterName(options.cluster)
    const environment = options.environment ?? named?.environment
    const client = await cli.context.client()
    const answer = await client.call('createFeed', {
      body: { kind, ...(named && { cluster_name: named.cluster }), ...(environment !== undefined && { environment }) },
    })
    await show(cli, { body: answer, text: () => `${answer.url ?? answer.path}\n` })
    if (!cli.json) {
      cli.io.err(cli.io.errColor.dim('Whoever has the address can read the feed. It is not shown again.\n'))
    }
  },
})

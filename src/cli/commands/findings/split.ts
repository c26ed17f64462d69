import { plain } from '../../../render/terminal/terminal.ts'
import { count } from '../../../util/words.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { onlyClusterOptions } from '../reports/cluster.ts'
import { findRunId } from '../reports/find-run.ts'

export default verb({
  name: 'split',
  summary: 'Say that a workload is not a former one under a new name',
  epilog:
    'A workload that vanished, and one that came with the same findings, are taken for one that was renamed (relt reports compare lists them). If they are two, this undoes it: the findings of the newer one are new.',
  examples: ['relt findings split shop/app-migrate-42'],
  args: [['<workload>', 'its namespace and its name now']],
  options: onlyClusterOptions,
  run: async (cli, named, place) => {
    const slash = named.indexOf('/')
    const [namespace, workload] = [named.slice(0, Math.max(slash, 0)), named.slice(slash + 1)]
    const run_id = await findRunId(cli, undefined, place)
    const split = await cli.call('splitWorkload', { body: { run_id, workload, namespace } })
    const what = `${split.to} is no longer ${split.from}: ${count(split.findings, 'finding')} new since ${split.at}`
    await sayDone(cli, plain(what), split)
  },
})

import { count } from '../../../util/words.ts'
import { show } from '../../output/output.ts'
import { openProgressBar } from '../../output/progress-bar.ts'
import { verb } from '../../program/verb.ts'
import { openAdmin } from './command.ts'

export default verb({
  name: 'reindex',
  summary: 'Reindex runs stored by an older release',
  examples: ['relt admin reindex', 'relt admin reindex --data /srv/relt --json'],
  /** Indexes the whole store; can be interrupted and run again. Comparisons and `relt serve` also index runs on demand. */
  run: async (cli) => {
    const admin = await openAdmin(cli)
    const bar = openProgressBar(cli.io)
    const runs = await admin.reindex((done, total) => bar.show(done, total, 'runs')).finally(() => bar.close())
    await show(cli, {
      body: { success: true, runs },
      text: () => (runs === 0 ? 'All runs are up to date.\n' : `Reindexed ${count(runs, 'run')}.\n`),
    })
  },
})

import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { openCatalog } from './command.ts'

export default verb({
  name: 'restore',
  summary: 'Bring back bundled projects that a list of projects removed',
  examples: ['relt catalog restore', 'relt catalog restore --data /var/lib/relt'],
  epilog: '`POST /sync-projects` with `cleanup_removed` removes projects. Their subscriptions do not come back.',
  run: async (cli) => {
    await (await openCatalog(cli)).restore()
    await sayDone(cli, 'Restored the bundled projects', { success: true })
  },
})

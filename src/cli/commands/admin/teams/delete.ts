import { count } from '../../../../util/words.ts'
import { confirm, yesOption } from '../../../input/prompt.ts'
import { sayDone } from '../../../output/say.ts'
import { verb } from '../../../program/verb.ts'
import { openAdmin } from '../command.ts'

export default verb({
  name: 'delete',
  summary: 'Delete a team with its clusters, runs and scan profiles',
  examples: ['relt admin teams delete platform', 'relt admin teams delete platform --yes'],
  args: [['<team>', 'team name']],
  options: yesOption,
  run: async (cli, name, options) => {
    const teams = await (await openAdmin(cli)).teams()
    const { clusters, runs, profiles } = await teams.get(name)
    const what = `${count(clusters, 'cluster')}, ${count(runs, 'run')} and ${count(profiles, 'scan profile')}`
    await confirm(cli, options, `Permanently delete team ${name} with ${what}?`)
    await teams.delete(name)
    await sayDone(cli, `Deleted team ${name}`, { success: true })
  },
})

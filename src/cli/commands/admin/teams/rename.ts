import { sayDone } from '../../../output/say.ts'
import { verb } from '../../../program/verb.ts'
import { openAdmin } from '../command.ts'

export default verb({
  name: 'rename',
  summary: 'Rename a team',
  examples: ['relt admin teams rename default platform', 'relt admin teams rename platform infra --json'],
  args: [
    ['<team>', 'team name'],
    ['<new-name>', 'new name'],
  ],
  run: async (cli, name, newName) => {
    const team = await (await (await openAdmin(cli)).teams()).rename(name, newName)
    await sayDone(cli, `Renamed team ${name} to ${newName}`, team)
  },
})

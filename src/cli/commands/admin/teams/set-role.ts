import { teamRoles } from '../../../../contract/choices.ts'
import type { TeamRole } from '../../../../contract/team.ts'
import { show } from '../../../output/output.ts'
import { say } from '../../../output/say.ts'
import type { Cli } from '../../../program/command.ts'
import { verb } from '../../../program/verb.ts'
import { openAdmin } from '../command.ts'
import { formatRemarks } from './view.ts'

export default verb({
  name: 'set-role',
  summary: 'Change the role of a member',
  examples: ['relt admin teams set-role platform grace viewer', 'relt admin teams set-role platform ada owner'],
  args: [
    ['<team>', 'team name'],
    ['<login>', 'login name'],
    ['<role>', 'viewers read, members also upload and edit, owners also delete', { choices: teamRoles }],
  ],
  run: (cli, name, login, role) => runSetRole(cli, name, { login, role }),
})

async function runSetRole(cli: Cli, name: string, { login, role }: { login: string; role: TeamRole }): Promise<void> {
  const team = await (await (await openAdmin(cli)).teams()).setRole(name, login, role)
  say(cli, `Changed the role of ${login} in team ${name} to ${role}`)
  await show(cli, { body: team, remarks: formatRemarks(team) })
}

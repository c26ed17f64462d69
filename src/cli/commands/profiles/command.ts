import { ReltError } from '../../../errors.ts'
import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'
import { getCommands } from './addressed.ts'
import { findProfile } from './find.ts'
import { warn } from './remarks.ts'

const shells = {
  powershell: 'powershell_command',
  bash: 'native_command',
  docker: 'docker_command',
  'docker-powershell': 'docker_powershell_command',
} as const

export default verb({
  name: 'command',
  summary: 'Print the scan command of a profile',
  examples: [
    'relt profiles command shop-prod',
    'relt profiles command shop-prod --shell bash',
    'relt profiles command shop-prod --shell docker',
  ],
  args: [['[profile]', 'name or id']],
  options: {
    '--shell <shell>': {
      help: 'target: PowerShell, a POSIX shell, or a container from either (default: powershell)',
      choices: ['powershell', 'bash', 'docker', 'docker-powershell'],
    },
  },
  run: async (cli, idOrName, options) => {
    const { config_id, name } = await findProfile(cli, idOrName)
    const commands = await getCommands(cli, config_id)
    const line = commands[shells[options.shell ?? 'powershell']]
    warn(cli, commands.warnings ?? [])
    if (line === undefined && !cli.json) {
      throw new ReltError('bad_answer', 'The server does not quote the command of the container for PowerShell.', {
        hint: 'Use --shell docker in a POSIX shell, or --shell powershell.',
      })
    }
    if (line === null && !cli.json) {
      throw new ReltError('invalid_param', `The container cannot run the profile ${name}.`, {
        hint: 'Use another --shell, or change the profile: relt profiles edit',
      })
    }
    await show(cli, { body: commands, verbatim: `${line}\n` })
  },
})

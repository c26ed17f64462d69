import { show } from '../../output/output.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'
import { verb } from '../../program/verb.ts'
import { installOptions, unitOptions } from './unit-options.ts'

const platforms = { systemd: 'linux', launchd: 'darwin', windows: 'win32' } as const
type ServiceManager = keyof typeof platforms

const options = {
  ...unitOptions,
  '--program <file>': 'absolute path of relt on the machine of the service (default: this relt)',
} as const

export default verb({
  name: 'manifests',
  summary: 'Print the file that runs the agent as a service',
  examples: ['relt agent manifests systemd --user', 'relt agent manifests launchd --program /opt/relt/bin/relt'],
  args: [['<for>', 'service manager', { choices: Object.keys(platforms) as ServiceManager[] }]],
  options,
  run: async (cli, target, options) => {
    const { path, content } = await toUnitFile(cli, target, options)
    await show(cli, { body: { success: true, files: [{ path, content }] }, verbatim: printed(content) })
  },
})

async function toUnitFile(cli: Cli, target: ServiceManager, chosen: OptionsOf<typeof options>) {
  const unit = await installOptions(cli, chosen, platforms[target])
  if (chosen.program !== undefined) unit.program = [chosen.program]
  if (target === 'systemd') return (await import('../../../agent/units/systemd.ts')).systemdUnit(unit)
  if (target === 'launchd') return (await import('../../../agent/units/launchd.ts')).launchdPlist(unit)
  return (await import('../../../agent/units/windows.ts')).windowsTask(unit)
}

/**
 * Removes the XML encoding declaration: a pipe or shell decides the encoding, and readers detect UTF-16 by its byte order
 * mark.
 */
const printed = (content: string) => content.replace(' encoding="UTF-16"', '')

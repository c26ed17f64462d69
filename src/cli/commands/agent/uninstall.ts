import { sayDone } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'
import { verb } from '../../program/verb.ts'
import { installOptions } from './unit-options.ts'

const options = {
  '--user': 'remove the service of your own user',
} as const

type UninstallOptions = OptionsOf<typeof options>

export default verb({
  name: 'uninstall',
  summary: 'Stop the agent and remove its service',
  examples: ['relt agent uninstall --user', 'sudo relt agent uninstall'],
  options,
  run: runUninstall,
})

async function runUninstall(
  cli: Cli,
  options: UninstallOptions,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  const { uninstallUnit } = await import('../../../agent/install.ts')
  const { manager, file } = await uninstallUnit(await installOptions(cli, options, platform))
  await sayDone(cli, `Stopped the agent and removed ${file}; its jobs, history and queued uploads remain`, {
    success: true,
    manager,
    file,
  })
}

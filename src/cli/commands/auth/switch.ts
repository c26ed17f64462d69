import { readConfig, writeConfig } from '../../../config/config-file.ts'
import { ReltError } from '../../../errors.ts'
import { sayDone } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { verb } from '../../program/verb.ts'
import { getKnownServer } from './known-server.ts'

export default verb({
  name: 'switch',
  summary: 'Choose the server that commands use',
  examples: ['relt auth switch work', 'relt auth switch local'],
  args: [['[server]', 'name of the server; local for the store on this machine']],
  run: async (cli, wanted) => {
    const { context } = cli
    const config = readConfig(context.env)
    const name = wanted ?? (await choose(cli, [...config.servers.keys(), 'local'], config.settings.server))
    if (name !== 'local') getKnownServer(config, name)
    writeConfig(context.env, { ...config, settings: { ...config.settings, server: name } })
    const what = name === 'local' ? 'the store on this machine' : name
    await sayDone(cli, `Commands now use ${what}`, { success: true, server: name })
  },
})

async function choose({ io }: Cli, names: string[], current = 'local'): Promise<string> {
  if (!io.isInteractive) {
    throw new ReltError('usage', 'No server was given.', { hint: `Choose one of ${names.join(', ')}.` })
  }
  const { select } = await import('@inquirer/prompts')
  const choices = names.map((name) => ({ value: name, name: name === current ? `${name} (current)` : name }))
  return select({ message: 'Server', choices, default: current }, io.questions)
}

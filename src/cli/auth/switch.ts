import type { Command } from 'commander'
import { readConfig, writeConfig } from '../../config/config-file.ts'
import type { Context } from '../../context.ts'
import { ReltError } from '../../errors.ts'
import { type Cli, cliOf, newCommand } from '../command.ts'
import { renderJson } from '../json.ts'
import { getKnownServer } from './known-server.ts'

export function createCommand(context: Context, run = runSwitch): Command {
  return newCommand('switch', 'Choose the server that commands ask', [
    'relt auth switch work',
    'relt auth switch local',
  ])
    .argument('[name]', 'name of the server; local for the store on this machine')
    .action((name, _options, command) => run(cliOf(context, command), name))
}

export async function runSwitch(cli: Cli, wanted: string | undefined): Promise<void> {
  const { context, io, json } = cli
  const config = readConfig(context.env)
  const name = wanted ?? (await choose(cli, [...config.servers.keys(), 'local'], config.settings.server))
  if (name !== 'local') getKnownServer(config, name)
  writeConfig(context.env, { ...config, settings: { ...config.settings, server: name } })
  if (json) return io.out(renderJson(io, { success: true, server: name }))
  const what = name === 'local' ? 'the store on this machine' : name
  io.err(`${io.errColor.green('✓')} Commands now ask ${what}\n`)
}

async function choose({ context, io }: Cli, names: string[], current = 'local'): Promise<string> {
  if (!io.isInteractive) {
    throw new ReltError('usage', 'Which server is not said.', { hint: `Give one of ${names.join(', ')}.` })
  }
  const { select } = await import('@inquirer/prompts')
  const { stdin, stderr } = context
  const choices = names.map((name) => ({ value: name, name: name === current ? `${name} (current)` : name }))
  return select({ message: 'Server', choices, default: current }, { input: stdin, output: stderr })
}

import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { version } from '../version.ts'
import { type Cli, cliOf, newCommand } from './command.ts'
import { show } from './output.ts'

export function createCommand(context: Context, run = runVersion): Command {
  return newCommand('version', 'The version of relt, and what it runs on', [
    'relt version',
    'relt version --json',
  ]).action((_options, command) => run(cliOf(context, command)))
}

export async function runVersion(cli: Cli): Promise<void> {
  const body = { version, node: process.versions.node, platform: process.platform, arch: process.arch }
  await show(cli, { body, text: () => `relt ${version} (Node ${body.node}, ${body.platform} ${body.arch})\n` })
}

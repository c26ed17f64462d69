import type { Command } from 'commander'
import { readConfig, writeConfig } from '../../../config/config-file.ts'
import type { Context } from '../../../context.ts'
import { ReltError } from '../../../errors.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'

export function createCommand(context: Context, run = runDelete): Command {
  return newCommand('delete', 'Delete an alias', ['relt alias delete fresh'])
    .argument('<alias>', 'name of the alias')
    .action((name, _options, command) => run(cliOf(context, command), name))
}

export async function runDelete(cli: Cli, name: string): Promise<void> {
  const { env } = cli.context
  const config = readConfig(env)
  const aliases = new Map(config.aliases)
  if (!aliases.delete(name)) {
    const known = [...aliases.keys()].join(', ')
    throw new ReltError('not_found', `No alias named "${name}".`, {
      ...(known && { hint: `Known aliases: ${known}.` }),
    })
  }
  writeConfig(env, { ...config, aliases })
  await sayDone(cli, `Deleted the alias ${name}`, { name, deleted: true })
}

import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { show } from '../../../output/output.ts'
import { say } from '../../../output/say.ts'
import { newCommand } from '../../../program/command.ts'
import { type AdminCli, adminCliOf } from '../command.ts'
import { remarksOf } from './view.ts'

export interface CreateTeamOptions {
  owner?: string
}

export function createCommand(context: Context, run = runCreate): Command {
  return newCommand('create', 'Create a team', [
    'relt admin teams create platform --owner ada',
    'relt admin teams create platform',
  ])
    .argument('<name>', 'team name: lower-case letters, digits, dots, hyphens and underscores')
    .option('--owner <login>', 'user who becomes the first owner')
    .action((name, options, command) => run(adminCliOf(context, command), name, options))
}

export async function runCreate(cli: AdminCli, name: string, { owner }: CreateTeamOptions): Promise<void> {
  const team = await (await (await cli.admin()).teams()).create(name, owner)
  say(cli, `Created team ${name}`)
  await show(cli, { body: team, remarks: remarksOf(team) })
}

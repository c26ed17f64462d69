import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { sayDone } from '../../../output/say.ts'
import { newCommand } from '../../../program/command.ts'
import { type AdminCli, adminCliOf } from '../command.ts'

export interface DeleteTeamOptions {
  yes?: boolean
}

export function createCommand(context: Context, run = runDelete): Command {
  return newCommand('delete', 'Delete a team with its clusters, runs and scan profiles', [
    'relt admin teams delete platform',
    'relt admin teams delete platform --yes',
  ])
    .argument('<team>', 'team name')
    .option('-y, --yes', 'skip the confirmation prompt')
    .action((name, options, command) => run(adminCliOf(context, command), name, options))
}

export async function runDelete(cli: AdminCli, name: string, options: DeleteTeamOptions): Promise<void> {
  const teams = await (await cli.admin()).teams()
  const { clusters, runs, profiles } = await teams.get(name)
  if (!options.yes) {
    const { confirmOrRefuse } = await import('../../../input/prompt.ts')
    const what = `${clusters} clusters, ${runs} runs and ${profiles} scan profiles`
    await confirmOrRefuse(cli.io, `Permanently delete team ${name} with ${what}?`)
  }
  await teams.delete(name)
  await sayDone(cli, `Deleted team ${name}`, { success: true })
}

import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { chooseSubscription } from './find.ts'
import { toggleAll } from './toggle.ts'

export function createCommand(context: Context, run = runRemove): Command {
  return newCommand('remove', 'Unsubscribe from projects and delete the settings', [
    'relt subs remove argo-cd',
    'relt subs remove argo-cd nginx 42',
  ])
    .argument('[projects...]', 'slugs, names or ids')
    .action((projects, _options, command) => run(cliOf(context, command), projects))
}

export async function runRemove(cli: Cli, projects: string[]): Promise<void> {
  await toggleAll(cli, projects.length > 0 ? projects : [await chooseSubscription(cli)], false)
}

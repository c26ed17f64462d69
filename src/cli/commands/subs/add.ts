import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { chooseProjects } from '../projects/resolve.ts'
import { toggleAll } from './toggle.ts'

export function createCommand(context: Context, run = runAdd): Command {
  return newCommand('add', 'Subscribe to projects', ['relt subs add argo-cd', 'relt subs add argo-cd nginx 42'])
    .argument('[projects...]', 'slugs, names or ids')
    .action((projects, _options, command) => run(cliOf(context, command), projects))
}

export async function runAdd(cli: Cli, projects: string[]): Promise<void> {
  await toggleAll(cli, projects.length > 0 ? projects : await chooseProjects(cli), true)
}

import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { setPaused } from './paused.ts'

export function createCommand(context: Context, run = runResume): Command {
  return newCommand('resume', 'Resume notifications about projects', [
    'relt subs resume argo-cd',
    'relt subs resume argo-cd nginx',
  ])
    .argument('[projects...]', 'slugs, names or ids')
    .action((projects, _options, command) => run(cliOf(context, command), projects))
}

export function runResume(cli: Cli, projects: string[]): Promise<void> {
  return setPaused(cli, projects, false)
}

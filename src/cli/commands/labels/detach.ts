import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { setAttached } from './attached.ts'

export function createCommand(context: Context, run = runDetach): Command {
  return newCommand('detach', 'Detach a label from subscriptions', [
    'relt labels detach edge nginx',
    'relt labels detach edge nginx istio 42',
  ])
    .argument('[label]', 'name or id')
    .argument('[projects...]', 'slugs, names or ids of projects you are subscribed to')
    .action((label, projects, _options, command) => run(cliOf(context, command), label, projects))
}

export function runDetach(cli: Cli, label: string | undefined, projects: string[]): Promise<void> {
  return setAttached(cli, label, projects, false)
}

import { Argument, type Command } from 'commander'
import type { Context } from '../../../context.ts'
import { show } from '../../output/output.ts'
import { type Cli, cliOf, newNoun } from '../../program/command.ts'
import { type Shell, scripts, shells } from './scripts.ts'

export function createCommand(context: Context, run = runCompletion): Command {
  return newNoun('completion', [
    'relt completion bash > ~/.local/share/bash-completion/completions/relt',
    'relt completion zsh > "$HOME/.zfunc/_relt"',
    'relt completion fish > ~/.config/fish/completions/relt.fish',
    'relt completion powershell',
  ])
    .addArgument(new Argument('<shell>', 'shell to generate it for').choices(shells))
    .action((shell, _options, command) => run(cliOf(context, command), shell))
}

export async function runCompletion(cli: Cli, shell: Shell): Promise<void> {
  await show(cli, { body: { shell, script: scripts[shell] }, verbatim: scripts[shell] })
}

import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'
import { scripts, shells } from './scripts.ts'

export default verb({
  examples: [
    'relt completion bash > ~/.local/share/bash-completion/completions/relt',
    'relt completion zsh > "$HOME/.zfunc/_relt"',
    'relt completion fish > ~/.config/fish/completions/relt.fish',
    'relt completion powershell',
  ],
  args: [['<shell>', 'shell to generate it for', { choices: shells }]],
  run: async (cli, shell) => {
    await show(cli, { body: { shell, script: scripts[shell] }, verbatim: scripts[shell] })
  },
})

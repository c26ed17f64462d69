import { count } from '../../../util/words.ts'
import { show } from '../../output/output.ts'
import { say } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { installOptions, unitOptions } from './unit-options.ts'

export default verb({
  name: 'install',
  summary: 'Install and start the agent as a service',
  examples: ['relt agent install --user', 'sudo relt agent install --kubeconfig /etc/relt/kubeconfig'],
  options: {
    ...unitOptions,
  },
  run: async (cli, options) => {
    const wanted = await installOptions(cli, options, process.platform)
    const [{ readAgentConfig }, { installUnit }] = await Promise.all([
      import('../../../agent/read-config.ts'),
      import('../../../agent/install.ts'),
    ])
    const { jobs } = readAgentConfig(wanted.config)
    const { manager, file } = await installUnit(wanted)
    const undo = `relt agent uninstall${options.user ? ' --user' : ''}`
    say(cli, `Installed and started the agent with ${count(jobs.length, 'job')}: ${file}`)
    await show(cli, {
      body: { success: true, manager, file, undo },
      text: () => `${hints({ manager, isUser: wanted.isUser }).join('\n')}\nTo undo: ${undo}\n`,
    })
  },
})

function hints({ manager, isUser }: { manager: string; isUser: boolean }): string[] {
  if (manager === 'launchd') return ['Log: ~/Library/Logs/relt-agent.log']
  if (manager === 'windows') return ['State: schtasks /query /tn relt-agent']
  if (!isUser) return ['Log: journalctl -u relt-agent', 'Secrets: /etc/relt/agent.env, a file that only root can read']
  return ['Log: journalctl --user -u relt-agent', 'To run it while you are logged out: loginctl enable-linger']
}

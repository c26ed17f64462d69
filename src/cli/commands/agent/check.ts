import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { show } from '../../output/output.ts'
import { say } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { addConfigOption, type ConfigOptions, readJobs } from './options.ts'

export function createCommand(context: Context, run = runCheck): Command {
  const command = newCommand('check', 'Check the jobs of the agent, their policies and folders', [
    'relt agent check',
    'relt agent check --config /etc/relt/agent.yaml',
  ])
  return addConfigOption(command).action((options, command) => run(cliOf(context, command), options))
}

export async function runCheck(cli: Cli, options: ConfigOptions): Promise<void> {
  const { file, jobs } = await readJobs(cli, options)
  const { checkFiles } = await import('../../../agent/check-files.ts')
  checkFiles(cli.context.env, jobs)
  say(cli, `${file}: ${jobs.length === 1 ? '1 job' : `${jobs.length} jobs`}, no mistakes`)
  await show(cli, { body: { success: true, file, jobs: jobs.map(({ name }) => name) } })
}

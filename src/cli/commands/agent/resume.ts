import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { addConfigOption, type ConfigOptions, readJobs } from './options.ts'

export function createCommand(context: Context, run = runResume): Command {
  const command = newCommand('resume', 'Resume a paused job', ['relt agent resume nightly']).argument(
    '<job>',
    'name of the job',
  )
  return addConfigOption(command).action((job, options, command) => run(cliOf(context, command), job, options))
}

export async function runResume(cli: Cli, name: string, options: ConfigOptions): Promise<void> {
  const { jobs } = await readJobs(cli, options)
  const { openAgentView, requireJob } = await import('../../../agent/view.ts')
  const view = await openAgentView(cli.context)
  try {
    await view.setPaused(requireJob(jobs, name), false)
    await sayDone(cli, `Resumed ${name}`, { success: true, job: name, paused: false })
  } finally {
    await view.close()
  }
}

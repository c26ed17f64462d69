import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { sayDone, warn } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { addConfigOption, type ConfigOptions, readJobs } from './options.ts'

export function createCommand(context: Context, run = runTrigger): Command {
  const command = newCommand('trigger', 'Run a job now, in the running agent', ['relt agent trigger nightly']).argument(
    '<job>',
    'name of the job',
  )
  return addConfigOption(command).action((job, options, command) => run(cliOf(context, command), job, options))
}

export async function runTrigger(cli: Cli, name: string, options: ConfigOptions): Promise<void> {
  const { jobs } = await readJobs(cli, options)
  const { openAgentView, requireJob } = await import('../../../agent/view.ts')
  const job = requireJob(jobs, name)
  const view = await openAgentView(cli.context)
  try {
    await view.trigger(job)
    const isRunning = view.isRunning()
    if (!isRunning) warn(cli.io, 'No agent is running. The job waits for the next start: relt agent run')
    await sayDone(cli, `Triggered ${name}`, { success: true, job: name, agent_running: isRunning })
  } finally {
    await view.close()
  }
}

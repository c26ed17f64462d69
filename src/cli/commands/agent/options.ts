import type { ScheduledJob } from '../../../agent/read-config.ts'
import type { AgentView } from '../../../agent/view.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'

export const configOption = {
  '--config <file>': "file with the agent's jobs (default: agent.yaml in the configuration folder)",
} as const

export type ConfigOptions = OptionsOf<typeof configOption>

/** The jobs as the agent on this machine reads them. Throws `usage` with all problems and their lines. */
export async function readJobs({ context }: Cli, { config }: ConfigOptions) {
  const { agentConfigFile, readAgentConfig } = await import('../../../agent/read-config.ts')
  const { findMachine } = await import('../../../agent/view.ts')
  return readAgentConfig(config ?? agentConfigFile(context.env), { machine: await findMachine(context.env) })
}

/** Calls `work` with a job and the agent's state on this machine. Throws `not_found` if the file does not have the job. */
export async function withJob(
  cli: Cli,
  name: string,
  options: ConfigOptions,
  work: (view: AgentView, job: ScheduledJob) => Promise<void>,
) {
  const { jobs } = await readJobs(cli, options)
  const { requireJob } = await import('../../../agent/view.ts')
  const job = requireJob(jobs, name)
  await withView(cli, (view) => work(view, job))
}

/** Calls `work` with the agent's state on this machine. */
export async function withView({ context }: Cli, work: (view: AgentView) => Promise<void>) {
  const { openAgentView } = await import('../../../agent/view.ts')
  const view = await openAgentView(context)
  await work(view).finally(() => view.close())
}

import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'

export const configOption = {
  '--config <file>': "file with the agent's jobs (default: agent.yaml in the configuration folder)",
} as const

export type ConfigOptions = OptionsOf<typeof configOption>

/** The jobs as the agent on this machine reads them. Throws `usage` with every problem and its line. */
export async function readJobs({ context }: Cli, { config }: ConfigOptions) {
  const { agentConfigFile, readAgentConfig } = await import('../../../agent/read-config.ts')
  const { findMachine } = await import('../../../agent/view.ts')
  return readAgentConfig(config ?? agentConfigFile(context.env), { machine: await findMachine(context.env) })
}

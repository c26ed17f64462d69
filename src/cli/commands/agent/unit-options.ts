import { resolve } from 'node:path'
import type { InstallOptions } from '../../../agent/install.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'

export const unitOptions = {
  '--user': 'use a service of your own user, which needs no administrator rights',
  '--config <file>':
    "file with the agent's jobs (default: agent.yaml in the configuration folder; /etc/relt/agent.yaml for a systemd service of the machine)",
  '--kubeconfig <file>': 'kubeconfig for scans (default: KUBECONFIG, with --user only)',
} as const

/** Options of a service unit that runs this executable. */
export async function installOptions(
  { context: { env } }: Cli,
  { user = false, config, kubeconfig }: OptionsOf<typeof unitOptions>,
  platform: NodeJS.Platform,
): Promise<InstallOptions> {
  const { agentConfigFile, machineConfigFile } = await import('../../../agent/read-config.ts')
  const usual = platform === 'linux' && !user ? machineConfigFile : agentConfigFile(env)
  return {
    platform,
    isUser: user,
    config: resolve(config ?? usual),
    kubeconfig: kubeconfig === undefined ? undefined : resolve(kubeconfig),
    program: await ownProgram(),
    env,
    uid: process.getuid?.() ?? 0,
  }
}

/** Resolves symbolic links, so that the unit does not depend on links of a version manager. */
async function ownProgram() {
  const [{ isSea }, { realpathSync }] = await Promise.all([import('node:sea'), import('node:fs')])
  return isSea() ? [process.execPath] : [process.execPath, realpathSync(process.argv[1]!)]
}

import { confirm, input, select } from '@inquirer/prompts'
import { providers } from '../../../contract/choices.ts'
import type { ClusterConfigChange, ClusterConfigInput } from '../../../contract/cluster-config.ts'
import { requireInteractive } from '../../input/choose.ts'
import type { Cli } from '../../program/command.ts'

/** Prompts for missing values. Throws `usage` without a terminal. */
export async function askProfile(cli: Cli, given: ClusterConfigChange): Promise<ClusterConfigInput> {
  requireInteractive(cli.io, 'name')
  const on = cli.io.questions
  const name = await input({ message: 'Name of the profile', required: true }, on)
  const cluster_name = given.cluster_name ?? (await input({ message: 'Name of the cluster', default: name }, on))
  const provider =
    given.provider ?? (await select({ message: 'Provider', choices: providers, default: 'kubernetes' }, on))
  const settings = given.settings ?? (await askUpload(on, (await cli.context.server()) !== undefined))
  return { ...given, name, cluster_name, provider, settings }
}

/** A profile on a server uploads to that server; others must name their server. */
async function askUpload(
  on: Parameters<typeof confirm>[1],
  isOnServer: boolean,
): Promise<ClusterConfigInput['settings']> {
  if (!(await confirm({ message: 'Upload each report and compare it with the previous one?' }, on))) return {}
  const address = isOnServer ? {} : { api_base_url: await input({ message: 'Server URL', validate }, on) }
  const environment = await input({ message: 'Environment', default: 'prod' }, on)
  return { output: { jsonReport: true, yes: true }, radar: { upload: true, compare: true, ...address, environment } }
}

const validate = (text: string) => /^https?:\/\/[^/\s]+/i.test(text) || 'Use https://host/path.'

import { type Command, Option } from 'commander'
import type { Context } from '../../../context.ts'
import { version } from '../../../version.ts'
import { show } from '../../output/output.ts'
import { type Cli, cliOf, newNoun } from '../../program/command.ts'

export interface VersionOptions {
  licenses?: boolean
  sbom?: boolean
}

export function createCommand(context: Context, run = runVersion): Command {
  return newNoun('version', ['relt version', 'relt version --licenses', 'relt version --sbom > relt.cdx.json'])
    .addOption(new Option('--licenses', 'print the licenses of all packages in relt').conflicts('sbom'))
    .option('--sbom', 'print the software bill of materials, CycloneDX 1.6 as JSON')
    .action((options, command) => run(cliOf(context, command), options))
}

export async function runVersion(cli: Cli, { licenses, sbom }: VersionOptions = {}): Promise<void> {
  if (licenses || sbom) {
    const { readBundledFile } = await import('./bundled-file.ts')
    const text = await readBundledFile(sbom ? 'sbom.cdx.json' : 'THIRD_PARTY_NOTICES')
    return show(cli, { body: sbom ? JSON.parse(text) : { licenses: text }, verbatim: text })
  }
  const body = { version, node: process.versions.node, platform: process.platform, arch: process.arch }
  await show(cli, { body, text: () => `relt ${version} (Node ${body.node}, ${body.platform} ${body.arch})\n` })
}

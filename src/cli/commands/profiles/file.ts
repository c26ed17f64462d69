import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { unwritable } from '../../../util/file-error.ts'
import { replaceFile } from '../../../util/replace-file.ts'
import { show } from '../../output/output.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { getFile } from './addressed.ts'
import { findProfile } from './find.ts'
import { warn } from './remarks.ts'

export interface FileOptions {
  out?: string
  yes?: boolean
}

export function createCommand(context: Context, run = runFile): Command {
  return newCommand('file', 'Print the scanner configuration of a profile', [
    'relt profiles file shop-prod',
    'relt profiles file shop-prod --out kubebuddy-config.yaml',
  ])
    .argument('[profile]', 'name or id')
    .option('--out <file>', 'write it to a file only you can read')
    .option('-y, --yes', 'replace an existing file')
    .action((profile, options, command) => run(cliOf(context, command), profile, options))
}

export async function runFile(cli: Cli, idOrName: string | undefined, { out, yes }: FileOptions): Promise<void> {
  const { config_id } = await findProfile(cli, idOrName)
  const { file, warnings } = await getFile(cli, config_id)
  warn(cli, warnings)
  if (out === undefined) return show(cli, { body: file, verbatim: file.content })
  if (existsSync(out) && !yes) {
    const { confirmOrRefuse } = await import('../../input/prompt.ts')
    await confirmOrRefuse(cli.io, `Replace ${out}?`)
  }
  writeOut(out, file.content)
  await sayDone(cli, `Wrote ${out}`, file)
  warn(cli, commentsOf(file.content))
}

/** The comment at the top of the file. */
function commentsOf(content: string): string[] {
  const lines = content.split('\n')
  const end = lines.findIndex((line) => !line.startsWith('# '))
  return lines.slice(0, end).map((line) => line.slice(2))
}

/** A file that took its mode or its link from an earlier one could be read by others. */
function writeOut(file: string, content: string): void {
  try {
    replaceFile(file, content)
  } catch (error) {
    throw unwritable(file, error)
  }
}

import { closeSync, openSync, writeSync } from 'node:fs'
import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { ReltError } from '../../../../errors.ts'
import { unwritable } from '../../../../util/file-error.ts'
import { show } from '../../../output/output.ts'
import { say } from '../../../output/say.ts'
import { newCommand } from '../../../program/command.ts'
import { type AdminCli, adminCliOf } from '../command.ts'

export interface RecoveryKitOptions {
  out?: string
  recipient?: string[]
  stdout?: boolean
}

export function createCommand(context: Context, run = runRecoveryKit): Command {
  const append = (value: string, all: string[] = []) => [...all, value]
  return newCommand('recovery-kit', 'Export the master key, in plain text or for age recipients', [
    'relt admin master-key recovery-kit',
    'relt admin master-key recovery-kit --out kit.txt',
    'relt admin master-key recovery-kit --recipient age1… --out kit.age',
  ])
    .option('--out <file>', 'write the kit to a new file that only you can read')
    .option('--recipient <age1…>', 'age recipient who can decrypt the kit (repeatable)', append)
    .option('--stdout', 'print the key even if standard output is not a terminal')
    .action((options, command) => run(adminCliOf(context, command), options))
}

/** The key lands in no pipe or log by accident. Throws `usage`. */
export async function runRecoveryKit(cli: AdminCli, options: RecoveryKitOptions): Promise<void> {
  const { out, recipient: recipients = [], stdout } = options
  const isShown = out === undefined && recipients.length === 0
  if (isShown && !stdout && !cli.io.isTerminal) {
    throw new ReltError('usage', 'Standard output is not a terminal, so the key would end up in a file or a pipe.', {
      hint: 'Use --out FILE or --recipient age1…, or confirm with --stdout.',
    })
  }
  const handle = out === undefined ? undefined : create(out)
  const kit = await (await (await cli.admin()).store()).recoveryKit(recipients)
  if (handle === undefined) {
    return show({ ...cli, pager: false }, { body: { success: true, ...kit }, verbatim: kit.text })
  }
  writeSync(handle, kit.text)
  closeSync(handle)
  const { text: _, ...about } = kit
  say(cli, `Wrote ${out}`)
  await show(cli, { body: { success: true, ...about, file: out }, text: () => '' })
}

/** Follows no link and replaces nothing. */
function create(file: string): number {
  try {
    return openSync(file, 'wx', 0o600)
  } catch (cause) {
    throw unwritable(file, cause, 'Choose another file.')
  }
}

import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { openSpool } from './open.ts'
import { pick } from './pick.ts'

export interface DropOptions {
  yes?: boolean
}

export function createCommand(context: Context, run = runDrop): Command {
  return newCommand('drop', 'Delete waiting uploads without sending them', [
    'relt spool drop spl_0m9x2k4fd1c0ffee2',
    'relt spool drop --yes',
  ])
    .argument('[id...]', 'ids (default: all)')
    .option('-y, --yes', 'skip the confirmation prompt')
    .action((ids, options, command) => run(cliOf(context, command), ids, options))
}

export async function runDrop(cli: Cli, ids: string[], { yes }: DropOptions): Promise<void> {
  const spool = openSpool(cli)
  const picked = () => pick([...spool.list(), ...spool.listBroken().map((id) => ({ id }))], ids)
  const count = picked().length
  if (!yes && count > 0) {
    const { confirmOrRefuse } = await import('../../input/prompt.ts')
    await confirmOrRefuse(
      cli.io,
      `Permanently delete ${count === 1 ? 'one unsent upload' : `${count} unsent uploads`}?`,
    )
  }
  const dropped = await spool.alone(async () => {
    const entries = picked()
    for (const { id } of entries) spool.remove(id)
    return entries.map(({ id }) => id)
  })
  await sayDone(cli, `Deleted ${dropped.length}`, { success: true, dropped })
}

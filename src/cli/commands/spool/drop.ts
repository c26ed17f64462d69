import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { openSpool } from './open.ts'
import { requireIds } from './require-ids.ts'

export interface DropOptions {
  refused?: boolean
  yes?: boolean
}

export function createCommand(context: Context, run = runDrop): Command {
  return newCommand('drop', 'Delete queued uploads without sending them', [
    'relt spool drop spl_0m9x2k4fd1c0ffee2',
    'relt spool drop --refused --yes',
  ])
    .argument('[id...]', 'ids (default: all)')
    .option('--refused', 'only uploads that their servers refused')
    .option('-y, --yes', 'skip the confirmation prompt')
    .action((ids, options, command) => run(cliOf(context, command), ids, options))
}

export async function runDrop(cli: Cli, ids: string[], { refused = false, yes }: DropOptions): Promise<void> {
  const spool = openSpool(cli)
  requireIds(spool, ids)
  const usage = spool.usage()
  const count = ids.length || (refused ? usage.refused : usage.waiting + usage.refused + usage.broken)
  if (!yes && count > 0) {
    const { confirmOrRefuse } = await import('../../input/prompt.ts')
    await confirmOrRefuse(
      cli.io,
      `Permanently delete ${count === 1 ? 'one unsent upload' : `${count} unsent uploads`}?`,
    )
  }
  const dropped = await spool.alone(async () => {
    const states = refused ? (['refused'] as const) : (['waiting', 'refused', 'broken'] as const)
    const chosen = ids.length > 0 ? ids : states.flatMap((state) => [...spool.ids(state)])
    for (const id of chosen) spool.remove(id)
    return chosen
  })
  await sayDone(cli, `Deleted ${dropped.length}`, { success: true, dropped })
}

import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { count } from '../../../util/words.ts'
import { show } from '../../output/output.ts'
import { say } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { requireOwnStore } from '../../program/own-store.ts'
import { warnOfMissingKey } from './say-master-key.ts'

export function createCommand(context: Context, run = runRestore): Command {
  return newCommand('restore', 'Restore a backup into an empty data folder', [
    'relt admin restore /backup/relt.db',
    'relt admin restore /backup/relt.db --data /var/lib/relt',
  ])
    .argument('<file>', 'backup, or another copy of a store')
    .action((file, _options, command) => {
      const { data } = command.optsWithGlobals() as { data?: string }
      return run(cliOf(context, command), file, data)
    })
}

export async function runRestore(cli: Cli, file: string, data?: string): Promise<void> {
  await requireOwnStore(cli.context)
  const { restoreStore } = await import('../../../admin/store-file.ts')
  const restored = await restoreStore(file, { env: cli.context.env, data })
  const { store, counts, made_at: madeAt, master_key: master } = restored
  say(cli, `Restored ${count(counts.run, 'run')} to ${store}`)
  if (madeAt === null) cli.io.err('The file has no manifest, so only its structure was checked.\n')
  warnOfMissingKey(cli.io, master)
  await show(cli, {
    body: { success: true, ...restored },
    text: () => '',
    ...(master?.available && { note: `The master key ${master.id} is available.` }),
  })
}

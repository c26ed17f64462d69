import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { type Cli, cliOf } from '../../program/command.ts'
import { requireOwnStore } from '../../program/own-store.ts'

/** Context of a verb of `relt admin`. */
export interface AdminCli extends Cli {
  /** Folder of the store, from `--data`. */
  admin: () => ReturnType<Context['admin']>
}

export function adminCliOf(context: Context, command: Command): AdminCli {
  const { data } = command.optsWithGlobals<{ data?: string }>()
  const admin = async () => {
    await requireOwnStore(context)
    return context.admin(data)
  }
  return { ...cliOf(context, command), admin }
}

import type { Command } from 'commander'
import { requireStoreAt } from '../../../config/store-place.ts'
import type { Context } from '../../../context.ts'
import { type Cli, cliOf } from '../../program/command.ts'
import { requireOwnStore } from '../../program/own-store.ts'

/** Context of a verb of `relt admin`. */
export interface AdminCli extends Cli {
  /** Folder of the store, from `--data`. */
  admin: () => ReturnType<Context['admin']>
  /** The same for a verb that has nothing to do in a new store. Throws `usage` if `--data` has no store. */
  existing: () => ReturnType<Context['admin']>
}

export function adminCliOf(context: Context, command: Command): AdminCli {
  const { data } = command.optsWithGlobals<{ data?: string }>()
  const admin = async () => {
    await requireOwnStore(context)
    return context.admin(data)
  }
  async function existing() {
    requireStoreAt(context.env, data)
    return admin()
  }
  return { ...cliOf(context, command), admin, existing }
}

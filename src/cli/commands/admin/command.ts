import type { Command } from 'commander'
import { requireStoreAt } from '../../../config/store-place.ts'
import type { Context } from '../../../context.ts'
import { type Cli, cliOf } from '../../program/command.ts'
import { requireOwnStore } from '../../program/own-store.ts'

/** Context of a verb of `relt admin`. */
export interface AdminCli extends Cli {
  /** Folder of the store, from `--data`. Throws `usage` if there is no store in it. */
  admin: () => ReturnType<Context['admin']>
  /** The same for a verb that may create the store. */
  adminOrNew: () => ReturnType<Context['admin']>
}

export function adminCliOf(context: Context, command: Command): AdminCli {
  const { data } = command.optsWithGlobals<{ data?: string }>()
  async function adminOrNew() {
    await requireOwnStore(context)
    return context.admin(data)
  }
  async function admin() {
    requireStoreAt(context.env, data)
    return adminOrNew()
  }
  return { ...cliOf(context, command), admin, adminOrNew }
}

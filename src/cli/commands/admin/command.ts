import type { Admin } from '../../../admin/admin.ts'
import { requireStoreAt } from '../../../config/store-place.ts'
import type { Cli } from '../../program/command.ts'
import { requireOwnStore } from '../../program/own-store.ts'

/** Administers the store in the folder of `--data`. Throws `usage` if there is no store in it. */
export async function openAdmin(cli: Cli): Promise<Admin> {
  requireStoreAt(cli.context.env, cli.flags.data)
  return openAdminOrNew(cli)
}

/** The same for a verb that may create the store. */
export async function openAdminOrNew({ context, flags }: Cli): Promise<Admin> {
  await requireOwnStore(context)
  return context.admin(flags.data)
}

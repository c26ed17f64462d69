import type { Admin } from '../../../admin/admin.ts'
import { requireStoreAt } from '../../../config/store-place.ts'
import type { Cli } from '../../program/command.ts'
import { requireOwnStore } from '../../program/own-store.ts'

/** Opens the store in the folder of `--data` for administration. Throws `usage` if there is no store in it. */
export async function openAdmin(cli: Cli): Promise<Admin> {
  requireStoreAt(cli.context.env, cli.flags.data)
  return openAdminOrNew(cli)
}

/** Like `openAdmin`, for a verb that may create the store. */
export async function openAdminOrNew({ context, flags }: Cli): Promise<Admin> {
  await requireOwnStore(context)
  return context.admin(flags.data)
}

import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { type Cli, cliOf } from '../../program/command.ts'
import { requireOwnStore } from '../../program/own-store.ts'

/** What a verb of `relt admin` gets to work with. */
export interface AdminCli extends Cli {
  /** Of the store that `--data` names. */
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

import type { Command } from 'commander'
import type { CatalogAdmin } from '../../client/catalog-admin.ts'
import type { Context } from '../../context.ts'
import { type Cli, cliOf } from '../command.ts'

/** What a verb of `relt catalog` gets to work with. */
export interface CatalogCli extends Cli {
  /** Of the store that `--data` names. */
  catalog: () => Promise<CatalogAdmin>
}

export function catalogCliOf(context: Context, command: Command): CatalogCli {
  const { data } = command.optsWithGlobals<{ data?: string }>()
  return { ...cliOf(context, command), catalog: async () => (await context.admin(data)).catalog() }
}

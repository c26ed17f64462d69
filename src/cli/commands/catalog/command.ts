import type { Command } from 'commander'
import type { CatalogAdmin } from '../../../admin/catalog.ts'
import type { Context } from '../../../context.ts'
import { type Cli, cliOf } from '../../program/command.ts'
import { requireOwnStore } from '../../program/own-store.ts'
import { pickProject } from '../projects/resolve.ts'

/** Context of a verb of `relt catalog`. */
export interface CatalogCli extends Cli {
  /** Folder of the store, from `--data`. */
  catalog: () => Promise<CatalogAdmin>
}

export function catalogCliOf(context: Context, command: Command): CatalogCli {
  const { data } = command.optsWithGlobals<{ data?: string }>()
  const catalog = async () => {
    await requireOwnStore(context)
    return (await context.admin(data)).catalog()
  }
  return { ...cliOf(context, command), catalog }
}

/** In place of a word that could mean several projects, the slug of the one that is chosen on a terminal. */
export async function pickEach(cli: Cli, catalog: CatalogAdmin, words: string[]): Promise<string[]> {
  if (words.length === 0) return []
  const candidates = await catalog.candidates(words)
  const picked: string[] = []
  for (const [index, word] of words.entries()) {
    const found = candidates[index]!
    picked.push(found.length > 1 ? (await pickProject(cli, word, found)).slug : word)
  }
  return picked
}

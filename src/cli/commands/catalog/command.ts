import type { CatalogAdmin } from '../../../admin/catalog.ts'
import type { Cli } from '../../program/command.ts'
import { requireOwnStore } from '../../program/own-store.ts'
import { pickProject } from '../projects/resolve.ts'

/** Opens the catalog of the store in the folder of `--data`. */
export async function openCatalog({ context, flags }: Cli): Promise<CatalogAdmin> {
  await requireOwnStore(context)
  return (await context.admin(flags.data)).catalog()
}

/** Replaces each ambiguous name by the slug of the project chosen on a terminal. */
export async function pickEach(cli: Cli, catalog: CatalogAdmin, words: string[]) {
  if (words.length === 0) return []
  const candidates = await catalog.candidates(words)
  return Array.fromAsync(words, async (word, index) => {
    const found = candidates[index]!
    return found.length > 1 ? (await pickProject(cli, word, found)).slug : word
  })
}

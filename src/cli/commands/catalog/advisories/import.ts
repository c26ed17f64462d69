import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { sayDone, warn } from '../../../output/say.ts'
import { newCommand } from '../../../program/command.ts'
import { type CatalogCli, catalogCliOf, pickEach } from '../command.ts'

export interface ImportOptions {
  project?: string
}

export function createCommand(context: Context, run = runImport): Command {
  return newCommand('import', 'Import advisories of your own in the format of OSV', [
    'relt catalog advisories import SHOP-2026-1.json',
    'relt catalog advisories import advisories/ --project shop-api',
  ])
    .argument('<file>', 'a record, a list of records, or a folder of such files')
    .option('--project <project>', 'project of the advisories (default: the projects that their packages name)')
    .action((file, options, command) => run(catalogCliOf(context, command), file, options))
}

export async function runImport(cli: CatalogCli, file: string, { project }: ImportOptions): Promise<void> {
  const catalog = await cli.catalog()
  const [chosen] = project === undefined ? [] : await pickEach(cli, catalog, [project])
  const { projects, skipped } = await catalog.importAdvisories(file, chosen)
  for (const id of skipped)
    warn(cli.io, `${id} names no project of the catalog, or no versions of it: it is not imported.`)
  const counts = Object.entries(projects).map(([slug, count]) => `${count} about ${slug}`)
  await sayDone(cli, `Imported: ${counts.join(', ')}`, { success: true, projects, skipped })
}

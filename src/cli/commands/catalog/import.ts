import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { count } from '../../../util/words.ts'
import { sayDone } from '../../output/say.ts'
import { newCommand } from '../../program/command.ts'
import { type CatalogCli, catalogCliOf } from './command.ts'

export interface CatalogImportOptions {
  /** A public key; `true` for that of this store. */
  requireSignature?: string | true
}

export function createCommand(context: Context, run = runImport): Command {
  return newCommand('import', 'Import a file of `relt catalog export`, or your own facts as JSON', [
    'relt catalog import catalog.relt',
    'relt catalog import catalog.relt --require-signature ed25519:11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    'relt catalog import /media/usb/catalog.relt --data /var/lib/relt',
    'relt catalog import facts.json',
  ])
    .argument('<file>', 'file written by `relt catalog export`, or JSON with facts')
    .option('--require-signature [public-key]', 'reject a file not signed by this key (default: the key of this store)')
    .action((file, options, command) => run(catalogCliOf(context, command), file, options))
}

export async function runImport(cli: CatalogCli, file: string, options: CatalogImportOptions): Promise<void> {
  const { requireSignature: signedBy } = options
  const catalog = await cli.catalog()
  const imported = await catalog.importFrom(file, signedBy === undefined ? {} : { signedBy })
  if ('facts' in imported) {
    await sayDone(cli, `Imported: ${describeFacts(imported.facts)}`, { success: true, facts: imported.facts })
    return
  }
  const { projects, releases, signedBy: key } = imported
  const counts = `${projects.added} new projects, ${releases.added} new and ${releases.updated} updated releases`
  const body = { success: true, projects, releases, signed_by: key ?? null }
  await sayDone(cli, `Imported: ${counts}${key ? `, signed by ${key}` : ''}`, body)
}

function describeFacts({ projects, releases, repositories, rules, exploited, ...upgrades }: Record<string, number>) {
  return [
    `${count(projects!, 'project')} with another fate`,
    `${count(releases!, 'fact')} about bad releases`,
    count(repositories!, 'repository', 'repositories'),
    count(rules!, 'upgrade rule'),
    `${count(upgrades.compatibility!, 'range', 'ranges')} of Kubernetes`,
    `${count(upgrades.removals!, 'API version')} removed`,
    count(upgrades.breaking!, 'breaking change'),
    count(exploited!, 'exploited vulnerability', 'exploited vulnerabilities'),
  ].join(', ')
}

import type { ImportedCatalog } from '../../../admin/catalog.ts'
import { count } from '../../../util/words.ts'
import { sayDone } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { verb } from '../../program/verb.ts'
import { openCatalog } from './command.ts'

export default verb({
  name: 'import',
  summary: 'Import a file of `relt catalog export`, a published catalog, or your own facts as JSON',
  examples: [
    'relt catalog import catalog.relt',
    'relt catalog import catalog.relt --require-signature ed25519:11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    'relt catalog import /media/usb/catalog.relt --data /var/lib/relt',
    'relt catalog import facts.json',
  ],
  args: [['<file>', 'file written by `relt catalog export`, or JSON with facts']],
  options: {
    '--require-signature [public-key]': 'reject a file not signed by this key (default: the key of this store)',
  },
  run: async (cli, file, options) => {
    const { requireSignature: signedBy } = options
    const imported = await (await openCatalog(cli)).importFrom(file, signedBy === undefined ? {} : { signedBy })
    if ('facts' in imported) {
      await sayDone(cli, `Imported: ${describeFacts(imported.facts)}`, { success: true, facts: imported.facts })
      return
    }
    await sayImported(cli, imported)
  },
})

/** Says what a catalog file changed. */
export async function sayImported(cli: Cli, { signedBy: key, ...imported }: ImportedCatalog) {
  const signed = key ? `, signed by ${key}` : ''
  const common = { success: true, signed_by: key ?? null }
  if ('projects' in imported) {
    const { projects, releases } = imported
    const counts = `${projects.added} new projects, ${releases.added} new and ${releases.updated} updated releases`
    return sayDone(cli, `Imported: ${counts}${signed}`, { ...common, projects, releases })
  }
  const { isNew, date, edition } = imported
  const body = { ...common, changed: isNew, date, edition }
  return sayDone(
    cli,
    `${isNew ? 'Imported' : 'Already current:'} the catalog of ${date}, edition ${edition}${signed}`,
    body,
  )
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

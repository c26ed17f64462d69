import { sayDone, warn } from '../../../output/say.ts'
import { verb } from '../../../program/verb.ts'
import { openCatalog, pickEach } from '../command.ts'

export default verb({
  name: 'import',
  summary: 'Import advisories of your own in the format of OSV',
  examples: [
    'relt catalog advisories import SHOP-2026-1.json',
    'relt catalog advisories import advisories/ --project shop-api',
  ],
  args: [['<file>', 'a record, a list of records, or a folder of such files']],
  options: {
    '--project <project>': 'project of the advisories (default: the projects that their packages name)',
  },
  run: async (cli, file, { project }) => {
    const catalog = await openCatalog(cli)
    const [chosen] = project === undefined ? [] : await pickEach(cli, catalog, [project])
    const { projects, skipped } = await catalog.importAdvisories(file, chosen)
    for (const id of skipped)
      warn(cli.io, `${id} names no project of the catalog, or no versions of it: it is not imported.`)
    const counts = Object.entries(projects).map(([slug, count]) => `${count} about ${slug}`)
    await sayDone(cli, `Imported: ${counts.join(', ')}`, { success: true, projects, skipped })
  },
})

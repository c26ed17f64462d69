import type { ProjectCoverage } from '../../../admin/catalog.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { count } from '../../../util/words.ts'
import { titles } from '../../../views/titles.ts'
import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'
import { openCatalog, pickEach } from './command.ts'
import { factsText } from './facts-text.ts'

export default verb({
  name: 'coverage',
  summary: 'Show the depth and age of the facts about projects',
  examples: ['relt catalog coverage', 'relt catalog coverage prometheus argo-cd', 'relt catalog coverage --output csv'],
  args: [['[project...]', 'slugs, names or ids']],
  run: async (cli, wanted) => {
    const catalog = await openCatalog(cli)
    const projects = await catalog.coverage(await pickEach(cli, catalog, wanted))
    const whole = projects.filter(({ complete_since: since }) => since !== null).length
    const withAdvisories = projects.filter(({ advisories_as_of: day }) => day !== null).length
    const facts = await catalog.facts()
    await show(cli, {
      body: { success: true, projects, facts },
      rows: projects,
      columns: () => columns,
      empty: 'The catalog has no project.',
      note: `Complete history: ${whole} of ${count(projects.length, 'project')}. Advisories: ${withAdvisories}. A project without advisory facts may still be vulnerable.\n${factsText(facts)}`,
    })
  },
})

const columns: Column<ProjectCoverage>[] = [
  { title: titles.project, value: ({ slug }) => slug, min: 12 },
  { title: titles.releases, value: ({ app_releases }) => String(app_releases), align: 'right' },
  { title: 'Charts', value: ({ chart_releases }) => String(chart_releases), align: 'right', from: 100 },
  { title: titles.first, value: ({ first_release }) => first_release ?? '', from: 120 },
  { title: 'Complete since', value: ({ complete_since }) => complete_since ?? 'unknown' },
  { title: 'As of', value: ({ releases_as_of }) => releases_as_of },
  { title: titles.advisories, value: toAdvice, align: 'right' },
  { title: 'Advisories as of', value: ({ advisories_as_of }) => advisories_as_of ?? 'no facts', from: 80 },
  { title: 'Basis', value: ({ history_basis }) => history_basis ?? '', min: 16, from: 140 },
]

function toAdvice({ advisories, unrated, advisories_as_of }: ProjectCoverage): string {
  if (advisories === 0 && advisories_as_of === null) return '?'
  return unrated > 0 ? `${advisories} (${unrated} unrated)` : String(advisories)
}

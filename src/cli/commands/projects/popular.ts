import type { ReceivedPopularProject } from '../../../contract/received/catalog.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { when } from '../../../util/ago.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'popular',
  summary: 'List the most followed projects',
  examples: ['relt projects popular', 'relt projects popular --limit 50 --json'],
  options: {
    '-n, --limit <count>': { help: 'projects to show, at most 50 (default: 10)', parse: wholeNumber(50) },
  },
  run: async (cli, query) => {
    const client = await cli.context.client()
    const found = await client.call('getPopularProjects', { query })
    await show(cli, { body: found, rows: found.projects, columns, empty: 'The catalog is empty.' })
  },
})

const columns = ({ color, isTerminal }: Io, now: number): Column<ReceivedPopularProject>[] => [
  { title: 'ID', value: (project) => String(project.id), align: 'right' },
  { title: 'Name', value: (project) => project.name, style: (cell) => color.bold(cell), min: 14 },
  { title: 'Followers', value: (project) => String(project.subscriber_count), align: 'right' },
  { title: 'Releases in 30 days', value: (project) => String(project.releases_30d), align: 'right', min: 8 },
  {
    title: 'Last release',
    value: (project) => (project.last_release_at ? when(project.last_release_at, { isTerminal, now }) : '-'),
    min: 12,
  },
  { title: 'Category', value: (project) => project.category, style: (cell) => color.dim(cell), min: 10 },
]

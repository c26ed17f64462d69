import type { Client } from '../../../client/client.ts'
import type { ReceivedPopularProject } from '../../../contract/received/catalog.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { when } from '../../../util/ago.ts'
import { count } from '../../../util/words.ts'
import { titles } from '../../../views/titles.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { verb } from '../../program/verb.ts'
import { compareOwn, findOwnProjects, type MyProject } from './own.ts'

export default verb({
  name: 'popular',
  summary: 'List your projects and the most followed ones',
  examples: ['relt projects popular', 'relt projects popular --limit 50 --json'],
  options: {
    '-n, --limit <count>': { help: 'projects to show, at most 50 (default: 10)', parse: wholeNumber(50) },
  },
  run: async (cli, query) => {
    const client = await cli.context.client()
    const found = await client.call('getPopularProjects', { query })
    const own = await findOwnProjects(client)
    const projects = await ownFirst(client, found.projects, { own, limit: query.limit ?? usualLimit })
    await show(cli, {
      body: { ...found, projects },
      rows: projects,
      columns: (io, now) => toColumns(io, now, own.size > 0),
      empty: 'The catalog is empty.',
    })
  },
})

const usualLimit = 10

type Unlisted = 'subscriber_count' | 'releases_30d'

interface Row extends Omit<ReceivedPopularProject, Unlisted>, Partial<Record<Unlisted, number | null>> {
  /** Number of the caller's clusters that run it. */
  runs_in?: number
  followed?: boolean
}

/** The caller's own projects, then those with most subscribers. */
async function ownFirst(
  client: Client,
  popular: ReceivedPopularProject[],
  { own, limit }: { own: Map<number, MyProject>; limit: number },
): Promise<Row[]> {
  if (own.size === 0) return popular
  const known = new Set(popular.map(({ id }) => id))
  const missing = [...own].filter(([id]) => !known.has(id)).sort(([, a], [, b]) => compareOwn(a, b))
  const others = await Promise.all(missing.slice(0, limit).map(([id]) => projectFor(client, id)))
  return [...popular, ...others]
    .sort((a, b) => compareOwn(own.get(a.id), own.get(b.id)))
    .slice(0, limit)
    .map((project) => {
      const { clusters, isFollowed } = own.get(project.id) ?? { clusters: 0, isFollowed: false }
      return { ...project, runs_in: clusters, followed: isFollowed }
    })
}

/** A project that is not in the list of popular ones, whose numbers only that list has. */
async function projectFor(client: Client, id: number): Promise<Row> {
  const { product } = await client.call('getProject', { params: { id: String(id) } })
  const { name, category, cncf_status, logo_url, repo_url, releases } = product
  const days = Object.values(releases).flatMap((all) => all.map(({ published_at }) => published_at))
  const last_release_at = days.sort().at(-1) ?? null
  return { id, name, category, cncf_status, logo_url, repo_url, last_release_at, ...unlisted }
}

const unlisted = { subscriber_count: null, releases_30d: null }

const toColumns = ({ color, isTerminal }: Io, now: number, hasOwn: boolean): Column<Row>[] => [
  { title: titles.id, value: (project) => String(project.id), align: 'right' },
  { title: titles.name, value: (project) => project.name, style: (cell) => color.bold(cell), min: 14 },
  ...(hasOwn ? [{ title: 'Yours', value: ownText, min: 10 }] : []),
  { title: 'Followers', value: (project) => figure(project.subscriber_count), align: 'right' },
  { title: 'Releases in 30 days', value: (project) => figure(project.releases_30d), align: 'right', min: 8 },
  {
    title: 'Last release',
    value: (project) => (project.last_release_at ? when(project.last_release_at, { isTerminal, now }) : null),
    min: 12,
  },
  { title: titles.category, value: (project) => project.category, style: (cell) => color.dim(cell), min: 10 },
]

const figure = (value: number | null | undefined): string | null => (value == null ? null : String(value))

/** `in 3 clusters, followed` */
function ownText({ runs_in: clusters = 0, followed = false }: Row): string | null {
  const parts = [...(clusters > 0 ? [`in ${count(clusters, 'cluster')}`] : []), ...(followed ? ['followed'] : [])]
  return parts.join(', ') || null
}

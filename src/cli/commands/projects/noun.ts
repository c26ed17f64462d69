import { cncfStatuses } from '../../../contract/choices.ts'
import type { ReceivedProjectDetail } from '../../../contract/received/catalog.ts'
import { ReltError } from '../../../errors.ts'
import { openPage, webAddress } from '../../output/open-page.ts'
import { show } from '../../output/output.ts'
import { pageOptions, pageQuery, wholeNumber } from '../../output/page.ts'
import { say } from '../../output/say.ts'
import { noun, verb } from '../../program/verb.ts'
import popular from './popular.ts'
import { recentColumns } from './recent-view.ts'
import releases from './releases.ts'
import { chooseProject, resolveProject } from './resolve.ts'
import showProject from './show.ts'
import { projectColumns } from './view.ts'

const pages = { home: 'homepage', docs: 'docs_url', repo: 'repo_url' } as const

export const open = verb({
  name: 'open',
  summary: 'Open a web page of a project in the browser',
  examples: [
    'relt projects open argo-cd',
    'relt projects open argo-cd --page docs',
    'relt projects open argo-cd --page repo --print',
  ],
  args: [['[project]', 'slug, name or id']],
  options: {
    '--page <page>': { help: 'page to open (default: the first available)', choices: ['home', 'docs', 'repo'] },
    '--print': 'print the URL instead of opening it',
  },
  run: async (cli, typed, { page, print }) => {
    const client = await cli.context.client()
    const id = await resolveProject(cli, typed ?? (await chooseProject(cli)))
    const { product } = await client.call('getProject', { params: { id } })
    const url = toAddress(product, page)
    if (print || cli.json || !cli.io.isTerminal) return show(cli, { body: { url }, text: () => `${url}\n` })
    await openPage(cli.context, url)
    say(cli, `Opened ${url}`)
  },
})

function toAddress(product: ReceivedProjectDetail, page: keyof typeof pages | undefined): string {
  const wanted = page ? [pages[page]] : (['homepage', 'repo_url', 'docs_url'] as const)
  for (const name of wanted) {
    const url = webAddress(product[name] ?? '')
    if (url) return url
  }
  throw new ReltError('not_found', `${product.name} has no such page.`, {
    hint: 'Try another: --page home, docs, repo',
  })
}

export const search = verb({
  name: 'search',
  summary: 'Find projects by name, description, category or repository',
  examples: ['relt projects search argo', 'relt projects search "service mesh" --limit 5'],
  args: [['<text>', 'text to search for']],
  options: pageOptions,
  run: async (cli, search, options) => {
    const found = await cli.call('listProjects', { query: { search, ...pageQuery(options) } })
    await show(cli, {
      body: found,
      rows: found.items,
      columns: projectColumns,
      empty: `No project matches "${search}".`,
      page: found,
    })
  },
})

export const list = verb({
  name: 'list',
  summary: 'List projects of the catalog',
  examples: ['relt projects list', 'relt projects list --status graduated --limit 100'],
  options: {
    ...pageOptions,
    '-s, --status <status>': { help: 'CNCF status', choices: cncfStatuses },
  },
  run: async (cli, options) => {
    const query = { ...pageQuery(options), ...(options.status && { cncf_status: options.status }) }
    const found = await cli.call('listProjects', { query })
    await show(cli, { body: found, rows: found.items, columns: projectColumns, page: found })
  },
})

export const recent = verb({
  name: 'recent',
  summary: 'List the newest releases of all projects',
  examples: [
    'relt projects recent',
    'relt projects recent --security --limit 20',
    'relt projects recent --category Networking',
  ],
  options: {
    '-n, --limit <count>': { help: 'releases to show, at most 20 (default: 10)', parse: wholeNumber(20) },
    '--category <name>': 'only projects of this category',
    '--security': 'only releases that fix a vulnerability',
  },
  run: async (cli, { limit = 10, category, security }) => {
    const query = { limit, ...(category && { category }), ...(security && { security_only: true }) }
    const found = await cli.call('getRecentReleases', { query })
    await show(cli, { body: found, rows: found.releases, columns: recentColumns, empty: 'No matching releases.' })
  },
})

export default noun({
  examples: ['relt projects search argo', 'relt projects releases argo-cd --type helm'],
  verbs: [search, list, showProject, releases, popular, recent, open],
})

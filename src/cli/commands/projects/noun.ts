import { cncfStatuses } from '../../../contract/choices.ts'
import { show } from '../../output/output.ts'
import { pageOptions, pageQuery, wholeNumber } from '../../output/page.ts'
import { noun, verb } from '../../program/verb.ts'
import open from './open.ts'
import popular from './popular.ts'
import { recentColumns } from './recent-view.ts'
import releases from './releases.ts'
import showProject from './show.ts'
import { projectColumns } from './view.ts'

export const search = verb({
  name: 'search',
  summary: 'Find projects by name, description, category or repository',
  examples: ['relt projects search argo', 'relt projects search "service mesh" --limit 5'],
  args: [['<text>', 'text to search for']],
  options: {
    ...pageOptions,
  },
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

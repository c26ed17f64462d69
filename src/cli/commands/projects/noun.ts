import { cncfStatuses } from '../../../contract/choices.ts'
import { show } from '../../output/output.ts'
import { pageOptions, pageQuery } from '../../output/page.ts'
import { noun, verb } from '../../program/verb.ts'
import releases from './releases.ts'
import showProject from './show.ts'
import { projectColumns } from './view.ts'

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
    const found = await cli.call('listProjects', {
      query: { ...pageQuery(options), ...(options.status && { cncf_status: options.status }) },
    })
    await show(cli, { body: found, rows: found.items, columns: projectColumns, page: found })
  },
})

export default noun({
  examples: ['relt projects search argo', 'relt projects releases argo-cd --type helm'],
  verbs: [search, list, showProject, releases],
})

import { show } from '../../output/output.ts'
import { pageOptions, pageQuery } from '../../output/page.ts'
import { verb } from '../../program/verb.ts'
import { projectColumns } from './view.ts'

export default verb({
  name: 'search',
  summary: 'Find projects by name, description, category or repository',
  examples: ['relt projects search argo', 'relt projects search "service mesh" --limit 5'],
  args: [['<text>', 'text to search for']],
  options: {
    ...pageOptions,
  },
  run: async (cli, search, options) => {
    const client = await cli.context.client()
    const found = await client.call('listProjects', { query: { search, ...pageQuery(options) } })
    await show(cli, {
      body: found,
      rows: found.items,
      columns: projectColumns,
      empty: `No project matches "${search}".`,
      page: found,
    })
  },
})

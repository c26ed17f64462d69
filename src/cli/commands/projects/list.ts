import { cncfStatuses } from '../../../contract/choices.ts'
import { show } from '../../output/output.ts'
import { pageOptions, pageQuery } from '../../output/page.ts'
import { verb } from '../../program/verb.ts'
import { projectColumns } from './view.ts'

export default verb({
  name: 'list',
  summary: 'List projects of the catalog',
  examples: ['relt projects list', 'relt projects list --status graduated --limit 100'],
  options: {
    ...pageOptions,
    '-s, --status <status>': { help: 'CNCF status', choices: cncfStatuses },
  },
  run: async (cli, options) => {
    const client = await cli.context.client()
    const query = { ...pageQuery(options), ...(options.status && { cncf_status: options.status }) }
    const found = await client.call('listProjects', { query })
    await show(cli, { body: found, rows: found.items, columns: projectColumns, page: found })
  },
})

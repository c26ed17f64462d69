import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { verb } from '../../program/verb.ts'
import { occurrenceColumns } from './view.ts'

export default verb({
  name: 'history',
  summary: 'List past occurrences of jobs and their outcomes',
  examples: ['relt agent history', 'relt agent history --job nightly --limit 100'],
  options: {
    '--job <name>': 'only this job',
    '-n, --limit <count>': { help: 'entries to show (default: 30)', parse: wholeNumber(10000) },
  },
  run: async (cli, { job, limit = 30 }) => {
    const { openAgentView, toHistoryItem } = await import('../../../agent/view.ts')
    const view = await openAgentView(cli.context)
    try {
      const rows = (await view.history({ job, limit })).map(toHistoryItem)
      await show(cli, {
        body: { success: true, items: rows },
        rows,
        columns: occurrenceColumns,
        empty: job === undefined ? 'No job has been due yet.' : `The job ${job} has not been due yet.`,
      })
    } finally {
      await view.close()
    }
  },
})

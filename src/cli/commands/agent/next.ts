import { until } from '../../../util/ago.ts'
import { formatTimestamp } from '../../../util/time.ts'
import { titles } from '../../../views/titles.ts'
import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { verb } from '../../program/verb.ts'
import { configOption, readJobs } from './options.ts'

export default verb({
  name: 'next',
  summary: 'List when jobs are due next',
  examples: ['relt agent next', 'relt agent next --count 20'],
  options: {
    '--count <number>': { help: 'number of times to list (default: 10)', parse: wholeNumber(1000) },
    ...configOption,
  },
  run: async (cli, { count = 10, ...options }) => {
    const { jobs } = await readJobs(cli, options)
    const { upcoming } = await import('../../../agent/view.ts')
    const rows = upcoming(jobs, cli.context.now(), count)
    await show(cli, {
      body: {
        success: true,
        items: rows.map(({ job, at, time_zone }) => ({ job, at: formatTimestamp(at), time_zone })),
      },
      rows,
      columns: ({ color }, now) => [
        { title: titles.job, value: ({ job }) => job, style: (cell) => color.bold(cell) },
        { title: 'Next (UTC)', value: ({ at }) => formatTimestamp(at) },
        { title: 'In', value: ({ at }) => until(formatTimestamp(at), now) },
        { title: 'Local time', value: ({ local }) => local, min: 10 },
      ],
      empty: 'No job has a schedule.',
    })
  },
})

import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { until } from '../../../util/ago.ts'
import { formatTimestamp } from '../../../util/time.ts'
import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { addConfigOption, type ConfigOptions, readJobs } from './options.ts'

export interface NextOptions extends ConfigOptions {
  count?: number
}

export function createCommand(context: Context, run = runNext): Command {
  const command = newCommand('next', 'List when jobs are due next', [
    'relt agent next',
    'relt agent next --count 20',
  ]).option('--count <number>', 'number of times to list (default: 10)', wholeNumber(1000))
  return addConfigOption(command).action((options, command) => run(cliOf(context, command), options))
}

export async function runNext(cli: Cli, { count = 10, ...options }: NextOptions): Promise<void> {
  const { jobs } = await readJobs(cli, options)
  const { upcoming } = await import('../../../agent/view.ts')
  const rows = upcoming(jobs, cli.context.now(), count)
  await show(cli, {
    body: { success: true, items: rows.map(({ job, at, time_zone }) => ({ job, at: formatTimestamp(at), time_zone })) },
    rows,
    columns: ({ color }, now) => [
      { title: 'Job', value: ({ job }) => job, style: (cell) => color.bold(cell) },
      { title: 'Next (UTC)', value: ({ at }) => formatTimestamp(at) },
      { title: 'In', value: ({ at }) => until(formatTimestamp(at), now) },
      { title: 'Local time', value: ({ local }) => local, min: 10 },
    ],
    empty: 'No job has a schedule.',
  })
}

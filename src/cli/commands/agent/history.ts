import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { occurrenceColumns } from './view.ts'

export interface HistoryOptions {
  job?: string
  limit?: number
}

export function createCommand(context: Context, run = runHistory): Command {
  return newCommand('history', 'List past occurrences of jobs and their outcomes', [
    'relt agent history',
    'relt agent history --job nightly --limit 100',
  ])
    .option('--job <name>', 'only this job')
    .option('-n, --limit <number>', 'number of entries (default: 30)', wholeNumber(10000))
    .action((options, command) => run(cliOf(context, command), options))
}

export async function runHistory(cli: Cli, { job, limit = 30 }: HistoryOptions): Promise<void> {
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
}

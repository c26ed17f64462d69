import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { type Cli, cliOf, newCommand } from '../command.ts'
import { printJson } from '../json.ts'
import { print } from '../print.ts'
import { findLatestRunId } from './latest.ts'
import { renderRun } from './run-view.ts'

export interface ShowOptions {
  report?: boolean
}

export function createCommand(context: Context, run = runShow): Command {
  return newCommand('show', 'One run, or the report it was made of', [
    'relt reports show',
    'relt reports show crun_k3v7qd2m5x4aznle',
    'relt reports show crun_k3v7qd2m5x4aznle --report > report.json',
  ])
    .argument('[run]', 'run id (default: the latest run)')
    .option('--report', 'print the report as it was uploaded')
    .action((runId, options, command) => run(cliOf(context, command), runId, options))
}

export async function runShow({ context, io, json }: Cli, id: string | undefined, options: ShowOptions): Promise<void> {
  const client = await context.client()
  const run_id = id ?? (await findLatestRunId(client, {}))
  const run = await client.call('getReport', { params: { run_id }, query: { include_report: options.report === true } })
  if (json) return printJson(io, run)
  if (options.report) return printJson(io, run.report)
  print(io, `${run.run_id}\n${renderRun(io, run)}`)
}

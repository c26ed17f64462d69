import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { ReltError } from '../../../errors.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { environmentRemarks } from '../../output/remarks.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { renderRecorded } from '../gate/recorded-view.ts'
import { addClusterOptions, type ClusterOptions } from './cluster.ts'
import { findRun, runForms } from './find-run.ts'
import { shortenedRemark } from './not-run-view.ts'
import { renderRun } from './run-view.ts'

export interface ShowOptions extends ClusterOptions {
  report?: boolean
  explain?: boolean
}

export function createCommand(context: Context, run = runShow): Command {
  const command = newCommand('show', 'Show a run or its report', [
    'relt reports show',
    'relt reports show latest~2 --cluster prod-eu',
    'relt reports show @2026-06-30',
    'relt reports show crun_k3v7 --report > report.json',
  ])
  return addClusterOptions(command)
    .argument('[run]', `${runForms} (default: the latest run)`)
    .option('--explain', 'show the whole reasons of checks that did not run')
    .option('--report', 'print the uploaded report')
    .action((runId, options, command) => run(cliOf(context, command), runId, options))
}

export async function runShow(cli: Cli, id: string | undefined, options: ShowOptions): Promise<void> {
  const { explain } = options
  const client = await cli.context.client()
  const { run_id, placed } = await findRun(cli, id, options)
  const run = await client.call('getReport', { params: { run_id }, query: { include_report: options.report === true } })
  if (options.report && run.report == null) {
    throw new ReltError('bad_answer', `The server did not return the report of ${run_id}.`, {
      hint: 'Show the run instead: relt reports show',
    })
  }
  // The report itself is data, also for eyes.
  if (options.report && cli.format === 'table') return show({ ...cli, format: 'json' }, { body: run.report })
  const text = async (io: Io, now: number) => {
    const freshness = await client.call('reportFreshness', { params: { run_id } }).catch(nullUnlessCancelled)
    return `${run.run_id}\n${renderRun(io, run, { freshness, explain, now })}${renderRecorded(io, run.gate)}`
  }
  const remarks = [
    ...shortenedRemark([{ named: run.checks_not_run ?? [] }], explain),
    ...environmentRemarks(run, placed?.otherEnvironments),
  ]
  await show(cli, { body: run, text, remarks })
}

/** A run is shown also without its freshness, such as when the store's key is missing. */
function nullUnlessCancelled(error: unknown): null {
  if (!(error instanceof ReltError) || error.code === 'cancelled') throw error
  return null
}

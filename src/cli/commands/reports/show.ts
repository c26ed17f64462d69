import { ReltError, unlessCancelled } from '../../../errors.ts'
import { shortenedNotes } from '../../../views/not-run-text.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { environmentRemarks, formatRemark } from '../../output/remarks.ts'
import { verb } from '../../program/verb.ts'
import { renderRecorded } from '../gate/recorded-view.ts'
import { clusterOptions } from './cluster.ts'
import { findRun, runForms } from './find-run.ts'
import { renderRun } from './run-view.ts'

export default verb({
  name: 'show',
  summary: 'Show a run or its report',
  examples: [
    'relt reports show',
    'relt reports show latest~2 --cluster prod-eu',
    'relt reports show @2026-06-30',
    'relt reports show crun_k3v7 --report > report.json',
  ],
  args: [['[run]', `${runForms} (default: the latest run)`]],
  options: {
    ...clusterOptions(),
    '--explain': 'show the whole reasons of checks that did not run',
    '--report': 'print the uploaded report',
  },
  run: async (cli, id, options) => {
    const { explain } = options
    const { run_id, placed } = await findRun(cli, id, options)
    const run = await cli.call('getReport', {
      params: { run_id },
      query: { include_report: options.report === true },
    })
    if (options.report && run.report == null) {
      throw new ReltError('bad_answer', `The server did not return the report of ${run_id}.`, {
        hint: 'Show the run instead: relt reports show',
      })
    }
    // The report itself is data, also on a terminal.
    if (options.report && cli.format === 'table') return show({ ...cli, format: 'json' }, { body: run.report })
    const text = async (io: Io, now: number) => {
      // Without freshness, for example if the store's key is missing, the run is still shown.
      const found = cli.call('reportFreshness', { params: { run_id } })
      const freshness = await found.catch(unlessCancelled(null))
      return `${run.run_id}\n${renderRun(io, run, { freshness, explain, now })}${renderRecorded(io, run.gate)}`
    }
    const remarks = [
      ...shortenedNotes([{ named: run.checks_not_run ?? [] }], explain).map(formatRemark),
      ...environmentRemarks(run, placed?.otherEnvironments),
    ]
    await show(cli, { body: run, text, remarks })
  },
})

import { ReltError } from '../../../errors.ts'
import { paint } from '../../../render/terminal/draw.ts'
import { until, when } from '../../../util/ago.ts'
import { formatTimestamp } from '../../../util/time.ts'
import { count } from '../../../util/words.ts'
import { version } from '../../../version.ts'
import { outcomeTone } from '../../../views/agent.ts'
import { titles } from '../../../views/titles.ts'
import { member, show } from '../../output/output.ts'
import { note, type Remark, warning } from '../../output/remarks.ts'
import type { Cli } from '../../program/command.ts'
import { verb } from '../../program/verb.ts'
import { openSpool } from '../spool/open.ts'
import { type ConfigOptions, configOption, readJobs, withView } from './options.ts'

export default verb({
  name: 'status',
  summary: 'Show whether the agent runs, its jobs and queued uploads',
  examples: ['relt agent status', 'relt agent status --json', 'relt agent status --probe'],
  options: {
    ...configOption,
    '--probe': 'print nothing; exit 0 if the agent runs and its loop turns, else 1',
  },
  run: async (cli, options) => (options.probe ? probe(cli) : runStatus(cli, options)),
})

/** For exec probes of containers: contacts neither a server nor the store. */
async function probe({ context: { env } }: Cli) {
  const { findStopped } = await import('../../../agent/view.ts')
  const reason = await findStopped(env)
  if (reason !== undefined) throw new ReltError('unhealthy', reason)
}

async function runStatus(cli: Cli, options: ConfigOptions) {
  const { file, jobs } = await readJobs(cli, options)
  await withView(cli, async (view) => {
    const rows = await view.status(jobs)
    const isRunning = view.isRunning()
    const newer = await view.newerRelt()
    const uploads = await describeSpool(cli)
    const remarks: Remark[] = [
      isRunning ? note('An agent is running.') : warning('No agent is running: relt agent run'),
      ...uploads.warnings.map((text) => warning(text)),
      ...(newer === undefined ? [] : [note(`A server runs relt ${newer}; this is ${version}.`)]),
    ]
    await show(cli, {
      body: {
        success: true,
        file,
        running: isRunning,
        ...uploads.body,
        version,
        newer_version: newer ?? null,
        jobs: rows,
      },
      rows,
      columns: (io, now) => [
        { title: titles.job, value: member('job'), style: io.color.bold },
        { title: titles.state, value: member('state') },
        {
          title: 'Last success',
          value: ({ last_success_at }) =>
            last_success_at ? when(last_success_at, { isTerminal: io.isTerminal, now }) : 'never',
        },
        {
          title: titles.last_outcome,
          value: ({ last }) => last?.state ?? '',
          style: (cell, { last }) => paint(io, outcomeTone(last?.state))(cell),
        },
        { title: titles.next, value: ({ next_at }) => (next_at && io.isTerminal ? until(next_at, now) : next_at) },
        { title: titles.detail, value: ({ last }) => last?.detail?.split('\n', 1)[0] ?? '', min: 12 },
      ],
      remarks,
    })
  })
}

/** The state of the spool for a status: fields of its JSON, and one sentence for each problem. */
async function describeSpool(cli: Cli) {
  const spool = openSpool(cli)
  const { waiting, refused, broken } = spool.usage()
  const [oldest] = spool.list(1)
  const problem = spool.findProblem()
  return {
    body: {
      uploads_waiting: waiting,
      uploads_refused: refused,
      uploads_broken: broken,
      oldest_upload_at: oldest ? formatTimestamp(oldest.created) : null,
      problems: problem === undefined ? [] : [problem],
    },
    warnings: [
      ...(problem === undefined ? [] : [problem]),
      ...(waiting > 0 ? [`${count(waiting, 'upload')} waiting: relt spool list`] : []),
      ...(refused > 0 ? [`${count(refused, 'upload')} refused: relt spool list, then relt spool send --refused`] : []),
      ...(broken > 0 ? [`${count(broken, 'upload')} broken: relt spool list`] : []),
    ],
  }
}

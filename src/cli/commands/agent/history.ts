import type { HistoryItem } from '../../../agent/view.ts'
import { paint } from '../../../render/terminal/draw.ts'
import { when } from '../../../util/ago.ts'
import { formatDuration } from '../../../util/duration.ts'
import { listed } from '../../../util/words.ts'
import { outcomeTone } from '../../../views/agent.ts'
import { titles } from '../../../views/titles.ts'
import { member, show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import type { Cli } from '../../program/command.ts'
import { verb } from '../../program/verb.ts'
import { withView } from './options.ts'

export default verb({
  name: 'history',
  summary: 'List past occurrences of jobs and their outcomes',
  examples: ['relt agent history', 'relt agent history --job nightly --limit 100'],
  options: {
    '--job <name>': 'only this job',
    '-n, --limit <count>': { help: 'entries to show (default: 30)', parse: wholeNumber(10000) },
  },
  run: async (cli, { job, limit = 30 }) => {
    const { toHistoryItem } = await import('../../../agent/view.ts')
    await withView(cli, async (view) => {
      const rows = (await view.history({ job, limit })).map(toHistoryItem)
      await show(cli, {
        body: { success: true, items: rows },
        rows,
        columns: (io, now) => [
          { title: 'Due', value: ({ due_at }) => when(due_at, { isTerminal: io.isTerminal, now }) },
          { title: titles.job, value: member('job'), style: io.color.bold, min: 6 },
          {
            title: titles.outcome,
            value: outcomeText,
            style: (cell, { state }) => paint(io, outcomeTone(state))(cell),
          },
          { title: titles.score, value: ({ score }) => score?.toFixed(1) ?? '', align: 'right' },
          { title: titles.gate, value: ({ verdict }) => verdict ?? '' },
          { title: titles.run, value: ({ run_id }) => run_id ?? '', min: 6 },
          { title: titles.detail, value: ({ detail }) => detail?.split('\n', 1)[0] ?? '', min: 12 },
        ],
        empty: job === undefined ? 'No job has been due yet.' : emptyText(job, await jobsFor(cli)),
      })
    })
  },
})

function outcomeText({ state, late_seconds, count }: HistoryItem) {
  if (state === 'missed') return count === 1 ? 'missed' : `missed ${count ?? 'over 100'}`
  return late_seconds > 0 && state !== 'skipped' ? `${state}, ${formatDuration(late_seconds)} late` : state
}

/** Names of the configured jobs; empty if the default file is missing or invalid. */
async function jobsFor({ context }: Cli) {
  const { agentConfigFile, readAgentConfig } = await import('../../../agent/read-config.ts')
  try {
    return readAgentConfig(agentConfigFile(context.env)).jobs.map(({ name }) => name)
  } catch {
    return []
  }
}

function emptyText(job: string, jobs: string[]) {
  if (jobs.includes(job)) return `The job ${job} has not been due yet.`
  const known = jobs.length > 0 ? ` Jobs of agent.yaml: ${listed(jobs, 8)}.` : ''
  return `No occurrence of a job ${job} is stored.${known}`
}

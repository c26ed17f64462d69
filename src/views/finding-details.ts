import type { FindingDetails, FindingOccurrence } from '../contract/finding.ts'
import { count } from '../util/words.ts'
import { safe, say, type Tone } from './said.ts'
import type { ViewColumn, ViewVerdict } from './view.ts'

/** Green only where each cluster is known not to have the finding any more. */
export function findingVerdict({ clusters }: Pick<FindingDetails, 'clusters'>): ViewVerdict {
  const open = clusters.filter(({ state }) => state === 'open').length
  const doubtful = clusters.filter(isDoubtful).length
  const gaps = doubtful > 0 ? [say`In ${safe(count(doubtful, 'cluster'))} its state is not certain`] : []
  if (open > 0) return { state: 'failed', words: say`Open in ${safe(count(open, 'cluster'))}`, gaps }
  if (doubtful > 0) return { state: 'undecided', words: say`Not known to be open`, gaps }
  const isGone = clusters.length > 0 && clusters.every(({ state }) => state === 'resolved')
  return { state: isGone ? 'passed' : 'undecided', words: say`Not open`, gaps }
}

const isDoubtful = ({ state, doubt }: FindingOccurrence): boolean => doubt !== null || state === 'unknown'

const stateTones: Record<FindingOccurrence['state'], Tone> = {
  open: 'bad',
  suppressed: 'warn',
  resolved: 'good',
  unknown: 'warn',
}

type Column = ViewColumn<FindingOccurrence>

/** The columns of the clusters that have or had a finding. */
export const occurrenceColumns = {
  cluster: {
    key: 'cluster',
    title: 'Cluster',
    text: ({ cluster_name }) => cluster_name,
    reveals: 'cluster',
    width: { min: 8 },
  },
  environment: {
    key: 'environment',
    title: 'Environment',
    text: ({ environment }) => environment,
    reveals: 'environment',
  },
  state: {
    key: 'state',
    title: 'State',
    text: (each) => (isDoubtful(each) ? `${each.state} ?` : each.state),
    data: ({ state }) => state,
    tone: (each) => (each.state !== 'open' && isDoubtful(each) ? 'warn' : stateTones[each.state]),
    reveals: 'safe',
  },
  first_seen: timeColumn('First seen', (each) => [each.first_seen_at, each.first_run_id]),
  last_seen: timeColumn('Last seen', (each) => [each.last_seen_at, each.last_run_id]),
  latest_scan: timeColumn('Latest scan', (each) => [each.latest_scan_at, each.latest_run_id]),
  run: { key: 'run', title: 'Run', text: ({ last_run_id }) => last_run_id, reveals: 'id', width: { from: 100 } },
  doubt: { key: 'doubt', title: 'Doubt', text: ({ doubt }) => doubt, reveals: 'text', width: { min: 8, from: 80 } },
} satisfies Record<string, Column>

/** A time, and the run that it is of. */
function timeColumn(title: string, of: (each: FindingOccurrence) => [at: string | null, run: string | null]): Column {
  return {
    key: title.toLowerCase().replace(' ', '_'),
    title,
    text: (each) => of(each)[0],
    as: 'time',
    link: (each) => {
      const run_id = of(each)[1]
      return run_id === null ? undefined : { page: 'run', run_id }
    },
    reveals: 'safe',
  }
}

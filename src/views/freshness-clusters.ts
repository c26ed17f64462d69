import { number } from '../util/words.ts'
import { clusterText } from './finding.ts'
import type { FreshnessCounts } from './freshness-counts.ts'
import type { Tone } from './said.ts'
import { titled, titles } from './titles.ts'
import type { ViewColumn } from './view.ts'

/** Numbers of artifacts in a cluster that need an upgrade. */
interface FreshnessOfCluster {
  cluster_name: string
  environment: string
  run_id: string
  counts: FreshnessCounts
  /** The server compares with advisories and support ends. */
  isJudged: boolean
}

type Column = ViewColumn<FreshnessOfCluster>

interface Counted {
  of: (counts: FreshnessCounts) => number
  tone?: Tone
  /** Only some servers return this column. */
  isExtra?: boolean
}

const counted = (key: string, title: string, { of, tone, isExtra }: Counted) =>
  ({
    ...{ key, title, reveals: 'safe', width: { align: 'right' } },
    text: ({ counts, isJudged }) => (isExtra && !isJudged ? null : number(of(counts))),
    data: ({ counts, isJudged }) => (isExtra && !isJudged ? null : of(counts)),
    ...(tone && { tone: ({ counts }) => (of(counts) > 0 ? tone : undefined) }),
  }) satisfies Column

/** One line per cluster; the numbers overlap: an outdated image may also be vulnerable. */
export const freshnessClusterColumns: Column[] = [
  {
    ...{ ...titled('cluster'), reveals: 'cluster', width: { min: 12, cut: true } },
    text: ({ cluster_name, environment }) => clusterText(cluster_name, environment),
    tone: () => 'strong',
    link: ({ run_id }) => ({ page: 'run', run_id }),
  },
  counted('vulnerable', 'Vulnerable', { of: ({ affected }) => affected, tone: 'bad', isExtra: true }),
  counted('ended', 'Ended', {
    of: ({ out_of_support, in_bad_state }) => out_of_support + in_bad_state,
    tone: 'bad',
    isExtra: true,
  }),
  counted('major', 'Major', { of: ({ major_behind }) => major_behind, tone: 'warn' }),
  counted('minor', 'Minor', { of: ({ minor_behind }) => minor_behind }),
  counted('unknown', 'Unknown', { of: ({ unknown }) => unknown, tone: 'warn' }),
  counted('artifacts', titles.artifacts, { of: ({ artifacts }) => artifacts }),
]

/** Sorts the cluster with most urgent upgrades first. */
export function byUrgency({ counts: a }: FreshnessOfCluster, { counts: b }: FreshnessOfCluster): number {
  const ended = ({ out_of_support, in_bad_state }: FreshnessCounts) => out_of_support + in_bad_state
  return b.affected - a.affected || ended(b) - ended(a) || b.major_behind - a.major_behind
}

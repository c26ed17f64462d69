import { clusterText } from './finding.ts'
import type { FreshnessCounts } from './freshness-counts.ts'
import type { Tone } from './said.ts'
import { columnsOf, counted } from './view.ts'

/** Numbers of artifacts in a cluster that need an upgrade. */
interface FreshnessOfCluster {
  cluster_name: string
  environment: string
  run_id: string
  counts: FreshnessCounts
  /** The server compares with advisories and support ends. */
  isJudged: boolean
}

const endedOf = ({ out_of_support, in_bad_state }: FreshnessCounts) => out_of_support + in_bad_state

/** `of`: undefined if the server does not compare. */
const count = (title: string, of: (row: FreshnessOfCluster) => number | undefined, tone?: Tone) => ({
  title,
  ...counted(of, { ...(tone && { tone }) }),
})

/** One line per cluster; the numbers overlap: an outdated image may also be vulnerable. */
export const freshnessClusterColumns = Object.values(
  columnsOf<FreshnessOfCluster>()({
    cluster: {
      reveals: 'cluster',
      min: 12,
      cut: true,
      tone: () => 'strong',
      text: clusterText,
      link: ({ run_id }) => ({ page: 'run', run_id }),
    },
    vulnerable: count('Vulnerable', ({ counts, isJudged }) => (isJudged ? counts.affected : undefined), 'bad'),
    ended: count('Ended', ({ counts, isJudged }) => (isJudged ? endedOf(counts) : undefined), 'bad'),
    major: count('Major', ({ counts }) => counts.major_behind, 'warn'),
    minor: count('Minor', ({ counts }) => counts.minor_behind),
    unknown: count('Unknown', ({ counts }) => counts.unknown, 'warn'),
    artifacts: counted(({ counts }) => counts.artifacts),
  }),
)

/** Sorts the cluster with most urgent upgrades first. */
export function byUrgency({ counts: a }: FreshnessOfCluster, { counts: b }: FreshnessOfCluster) {
  return b.affected - a.affected || endedOf(b) - endedOf(a) || b.major_behind - a.major_behind
}

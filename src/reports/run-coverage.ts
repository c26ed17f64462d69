import type { FindingCoverage } from '../contract/finding.ts'
import type { ReportFormat } from '../contract/scan-finding.ts'
import { staleDays } from '../contract/thresholds.ts'
import { daySeconds, formatTimestamp, type UnixSeconds } from '../util/time.ts'

const maxNamed = 20

type RunCoverage = Omit<FindingCoverage, 'unlisted_rows' | 'incomparable_findings'>

interface CoveredRun {
  clusterId: number | string
  at: UnixSeconds
  run: {
    cluster_name: string
    environment: string
    format: ReportFormat
    not_run_checks?: number | null | undefined
    suppressed_findings?: number | null | undefined
    is_empty?: boolean | null | undefined
  }
}

/** How complete and recent an answer from these runs is. */
export function toCoverage<T extends CoveredRun>(runs: T[], now: UnixSeconds): RunCoverage {
  const oldestFirst = [...runs].sort((a, b) => a.at - b.at)
  const stale = oldestFirst.filter(({ at }) => at < now - staleDays * daySeconds)
  const withGaps = runs.filter(({ run }) => (run.not_run_checks ?? 0) > 0)
  const toName = ({ run: { cluster_name, environment, format } }: CoveredRun) => ({ cluster_name, environment, format })
  const sum = (count: (run: CoveredRun) => number) => runs.reduce((total, run) => total + count(run), 0)
  return {
    clusters: new Set(runs.map(({ clusterId }) => clusterId)).size,
    runs: runs.length,
    oldest_scan_at: oldestFirst[0] ? formatTimestamp(oldestFirst[0].at) : null,
    stale: stale.slice(0, maxNamed).map((run) => ({ ...toName(run), seen_at: formatTimestamp(run.at) })),
    stale_count: stale.length,
    not_run_checks: sum(({ run }) => run.not_run_checks ?? 0),
    not_run: withGaps.slice(0, maxNamed).map((run) => ({ ...toName(run), checks: run.run.not_run_checks! })),
    suppressed_findings: sum(({ run }) => run.suppressed_findings ?? 0),
    empty_runs: sum(({ run }) => (run.is_empty ? 1 : 0)),
  }
}

import { staleDays } from '../../../contract/choices.ts'
import type { FindingCoverage, RunsCoverage } from '../../../contract/finding.ts'
import { count } from '../../../util/words.ts'
import { note, type Remark, warning } from '../../output/remarks.ts'
import { ago } from '../../output/time.ts'

interface Asked {
  /** States that were asked for; undefined means open. */
  state: string[] | undefined
  /** Unix seconds. */
  now: number
}

/** Gaps of the runs behind an answer that lists no findings. */
export function runsRemarks(looked: RunsCoverage, now: number): Remark[] {
  if (looked.runs === 0) return []
  return [scansRemark(looked, now), ...notRunRemark(looked, []), ...emptyRemark(looked), ...staleRemark(looked)]
}

/** Runs behind the answer, and clusters and checks that it does not cover. */
export function coverageRemarks(looked: FindingCoverage, { state: states = ['open'], now }: Asked): Remark[] {
  if (looked.runs === 0) return []
  return [
    scansRemark(looked, now),
    ...(looked.suppressed_findings > 0 && !states.includes('suppressed')
      ? [note(`${count(looked.suppressed_findings, 'suppressed finding')} not listed; see --state suppressed.`)]
      : []),
    ...notRunRemark(looked, states),
    ...(looked.unlisted_rows
      ? [warning(`The reports count ${count(looked.unlisted_rows, 'row')} that they do not list.`)]
      : []),
    ...(looked.without_earlier_run
      ? [
          warning(
            `${count(looked.without_earlier_run, 'run')} ${looked.without_earlier_run === 1 ? 'has' : 'have'} no earlier run, so what is new in ${looked.without_earlier_run === 1 ? 'it' : 'them'} is unknown.`,
          ),
        ]
      : []),
    ...(looked.incomparable_findings
      ? [
          warning(
            `${count(looked.incomparable_findings, 'finding')} cannot be compared with the earlier run. See \`relt reports compare\`.`,
          ),
        ]
      : []),
    ...emptyRemark(looked),
    ...staleRemark(looked),
  ]
}

function scansRemark(looked: RunsCoverage, now: number): Remark {
  const age = looked.oldest_scan_at === null ? '' : `, scanned ${ago(looked.oldest_scan_at, now)}`
  const scans =
    looked.runs === 1
      ? `Covers one run${age}.`
      : `Covers ${count(looked.runs, 'run')} of ${count(looked.clusters, 'cluster')}${age === '' ? '' : `; the oldest${age.slice(1)}`}.`
  return note(scans)
}

const emptyRemark = ({ empty_runs }: RunsCoverage): Remark[] =>
  empty_runs > 0 ? [warning(`${count(empty_runs, 'report')} without any check.`)] : []

function notRunRemark({ not_run_checks, not_run }: RunsCoverage, states: string[]): Remark[] {
  if (not_run_checks === 0) return []
  const where = not_run.map(({ cluster_name, environment }) => `${cluster_name} (${environment})`)
  const see = states.includes('not-run') ? '' : ' See --state not-run.'
  return [
    warning(
      `${count(not_run_checks, 'check')} did not run in ${listed([...new Set(where)])}, so findings may be missing.${see}`,
    ),
  ]
}

function staleRemark({ stale, stale_count }: RunsCoverage): Remark[] {
  if (stale_count === 0) return []
  const named = stale.map(
    ({ cluster_name, environment, format, seen_at }) =>
      `${cluster_name} (${environment}, ${format}) of ${seen_at.slice(0, 10)}`,
  )
  return [
    warning(
      `${count(stale_count, 'scan')} over ${staleDays} days old: ${listed(named, stale_count)}. Changes since then are unknown.`,
    ),
  ]
}

function listed(names: string[], total = names.length): string {
  const shown = names.slice(0, 3)
  return total > shown.length ? `${shown.join(', ')} and ${total - shown.length} more` : shown.join(', ')
}

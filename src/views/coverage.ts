import type { FindingCoverage, RunsCoverage } from '../contract/finding.ts'
import { staleDays } from '../contract/thresholds.ts'
import { ago } from '../util/ago.ts'
import { count } from '../util/words.ts'
import { newsTimeText } from './fleet.ts'
import { firstOf, named, type Said, safe, say } from './said.ts'
import { doubt, type Note } from './view.ts'

interface Asked {
  /** Requested states; undefined means open. */
  state?: readonly string[] | undefined
  /** Since when findings are new. */
  news?: Parameters<typeof newsTimeText>[0]
  /** Unix seconds. */
  now: number
}

/** What an answer about runs is based on, and its limitations. Doubts say why it is no all-clear. */
export function runNotes(looked: RunsCoverage, { state = ['open'], now }: Asked): Note[] {
  if (looked.runs === 0) return []
  return [
    scansNote(looked, now),
    ...notRunNote(looked, state),
    ...(looked.empty_runs > 0 ? [doubt(say`${safe(count(looked.empty_runs, 'report'))} without any check.`)] : []),
    ...staleNote(looked),
  ]
}

/** Like `runNotes`, for an answer that lists findings. */
export function coverageNotes(looked: FindingCoverage, asked: Asked): Note[] {
  const {
    suppressed_findings: suppressed,
    accepted_findings: accepted = 0,
    unlisted_rows,
    incomparable_findings,
  } = looked
  const [basis, ...gaps] = runNotes(looked, asked)
  if (basis === undefined) return []
  const since =
    asked.state?.some((one) => one === 'new' || one === 'regressed') && newsTimeText(asked.news ?? {}, asked.now)
  return [
    basis,
    ...(since ? [note(say`New since ${safe(since)}.`)] : []),
    ...Object.entries({ accepted, suppressed }).flatMap(([state, many]) =>
      many > 0 && !asked.state?.includes(state) ? [note(say`+ ${many} ${safe(`${state} (state ${state}).`)}`)] : [],
    ),
    ...(unlisted_rows ? [doubt(say`${safe(count(unlisted_rows, 'row'))} counted, not listed by the reports.`)] : []),
    ...(incomparable_findings
      ? [doubt(say`${safe(count(incomparable_findings, 'finding'))} cannot be compared.`)]
      : []),
    ...gaps,
  ]
}

/** Whether the answer may lack findings, so that an empty one is no all-clear. */
export const isPartial = (looked: FindingCoverage) =>
  looked.runs === 0 ||
  looked.not_run_checks > 0 ||
  looked.empty_runs > 0 ||
  !!looked.unlisted_rows ||
  !!looked.incomparable_findings

const note = (said: Said) => ({ said })

function scansNote(looked: RunsCoverage, now: number) {
  const { runs, clusters, oldest_scan_at: at } = looked
  const age = at === null ? undefined : safe(ago(at, now))
  if (runs === 1) return note(age ? say`Covers one run, scanned ${age}.` : say`Covers one run.`)
  const all = say`Covers ${runs} runs of ${safe(count(clusters, 'cluster'))}`
  return note(age ? say`${all}; the oldest scanned ${age}.` : say`${all}.`)
}

function notRunNote({ not_run_checks: checks, not_run }: RunsCoverage, state: readonly string[]) {
  if (checks === 0) return []
  const see = safe(state.includes('not-run') ? '.' : ' (state not-run).')
  return [doubt(say`${safe(count(checks, 'check'))} did not run in ${whereOf(uniqueNames(not_run))}${see}`)]
}

function staleNote({ stale, stale_count: total }: RunsCoverage) {
  if (total === 0) return []
  const named = stale.map((scan) => say`${toName(scan, scan.format)} of ${safe(scan.seen_at.slice(0, 10))}`)
  const what = safe(`${total === 1 ? 'Scan' : `${total} scans`} over ${staleDays} days old`)
  return [doubt(say`${what}: ${firstOf(named, 1, total)}.`)]
}

interface ClusterName {
  cluster_name: string
  environment: string
}

/** `shop (prod)`, or `shop (prod, trivy)`. */
const toName = ({ cluster_name, environment }: ClusterName, format?: string) =>
  say`${named('cluster', cluster_name)} (${named('environment', environment)}${safe(format ? `, ${format}` : '')})`

/** Names each cluster once, even if several scanners report it. */
function uniqueNames(clusters: ClusterName[]) {
  const unique = new Map(clusters.map((cluster) => [`${cluster.cluster_name}\n${cluster.environment}`, cluster]))
  return [...unique.values()].map((cluster) => toName(cluster))
}

/** A single name, or the number of clusters. */
const whereOf = (clusters: Said[]) => (clusters.length === 1 ? clusters[0]! : [safe(count(clusters.length, 'cluster'))])

import { findingSeverities, severities } from '../contract/choices.ts'
import type { ReceivedFreshness, ReceivedRun } from '../contract/received/cluster-report.ts'
import type { FindingCounts } from '../contract/scan-finding.ts'
import { scannedAt } from '../reports/run-subject.ts'
import type { UnixSeconds } from '../util/time.ts'
import { count, listed, number } from '../util/words.ts'
import { advisoryEdge } from './advisory-edge.ts'
import { judgedRun, recordedTone } from './gate.ts'
import { listNotRun } from './not-run-text.ts'
import { readinessSaid } from './readiness.ts'
import { joined, named, type Said, safe, say } from './said.ts'
import { gapsText, hasGaps, markedScore } from './score.ts'
import { titles } from './titles.ts'
import { detail } from './view.ts'

interface RunKnown {
  /** Null if it could not be read; undefined if not requested. */
  freshness?: ReceivedFreshness | null | undefined
  /** Show full reasons of checks that did not run. */
  explain?: boolean | undefined
  now: UnixSeconds
}

/** What a verdict does not tell of its run. */
export const verdictDetails = (run: ReceivedRun) => [
  ...candidateDetail(run),
  detail('Score', scoreSaid(run)),
  findingsDetail(run),
]

const candidateDetail = (run: ReceivedRun) => (run.is_candidate ? [detail('Candidate', candidateSaid(run))] : [])
const findingsDetail = (run: ReceivedRun) =>
  detail('Findings', run.findings ? findingsSaid(run.findings, run) : say`unknown`)

/** All details of a run, each in one or a few lines. */
export function runDetails(run: ReceivedRun, { freshness, explain, now }: RunKnown) {
  return [
    detail('Cluster', clusterSaid(run)),
    ...(run.subject === undefined ? [] : [detail(titles.subject, [named('text', run.subject)])]),
    detail('Scanned', say`${safe(scannedAt(run) ?? 'unknown')}${scannerSaid(run)}`),
    ...(run.ended ? [detail('Ended', say`${safe(run.ended.ended_at)}: ${run.ended.reason}`)] : []),
    ...candidateDetail(run),
    detail('Score', scoreSaid(run)),
    detail(titles.checks, ...checkLines(run, explain)),
    ...missingScope(run),
    findingsDetail(run),
    ...pathDetails(run),
    ...(run.aks_readiness ? [detail('AKS Automatic', readinessSaid(run.aks_readiness))] : []),
    detail('Artifacts', say`${safe(artifactsText(run))}`),
    ...(freshness === undefined ? [] : [detail('Vulnerable', [safe(vulnerableText(freshness))])]),
    ...(freshness === undefined || !run.gate ? [] : [detail('Gate', gateSaid(run.gate, judgedRun(run, now), now))]),
  ]
}

function clusterSaid(run: ReceivedRun) {
  const { environment, provider, region, kubernetes_version: version } = run
  const place = [
    ...(environment === null ? [] : [[named('environment', environment)]]),
    ...[provider, region].flatMap((part) => (part === null ? [] : [[named('text', part)]])),
    ...(version === null ? [] : [[named('version', version)]]),
  ]
  const cluster = named('cluster', run.cluster_name ?? 'unknown', { tone: 'strong' })
  return say`${cluster}${place.length > 0 && say` (${joined(place, ', ')})`}`
}

const scannerSaid = ({ format }: ReceivedRun) =>
  format === 'kubebuddy' || format === null ? [] : say` by ${safe(scannerWord(format))}`

/** Why a run is not part of the cluster's state. */
function candidateSaid({ ci }: ReceivedRun) {
  const of = ci?.pull_request
    ? say`pull request ${named('text', ci.pull_request)}`
    : say`${ci?.branch && say`branch ${named('text', ci.branch)}, or `}a version that does not run`
  return say`${of}: it is judged, and the cluster's state stays as it was`
}

/** Words for the scanner of a run. */
export const scannerWord = (format: ReceivedRun['format']) =>
  format === null || format === 'unknown' ? 'an unknown scanner' : format

function scoreSaid(run: ReceivedRun) {
  if (run.score === null) return say`none`
  const { score_source, format } = run
  const made = score_source === 'computed' && say` (computed: ${safe(format ?? 'the scanner')} has none)`
  const gaps = hasGaps(run) && safe(`, with gaps: ${gapsText(run)}`, 'warn')
  return say`${safe(markedScore(run.score, run)!, 'strong')}${made}${gaps}`
}

/** Checks that did not run have no findings, but did not pass either. */
function checkLines(run: ReceivedRun, explain: boolean | undefined) {
  const { total_checks: all, failed_checks: failed, not_run_checks: notRun, checks_not_run } = run
  const counts = safe(`${all ?? '-'}, ${failed ?? '-'} failed`)
  if (!notRun) return [[counts]]
  const [first, ...rest] = listNotRun(checks_not_run ?? [], { explain })
  return [
    [counts, safe(`, ${notRun} did not run`, 'warn'), named('text', first!, { tone: 'warn' })],
    ...rest.map((line) => [named('text', line, { tone: 'warn' })]),
  ]
}

/** Only if something is missing. */
function missingScope(run: ReceivedRun) {
  const missed = missedText(run)
  return missed === undefined
    ? []
    : [
        detail('Scope', [
          safe('without ', 'warn'),
          named('text', missed, { tone: 'warn' }),
          safe(', which an earlier scan read', 'warn'),
        ]),
      ]
}

/** `7: 2 critical, 5 high, and 3 suppressed; 1 of them accepted` */
function findingsSaid(counts: FindingCounts, run: ReceivedRun) {
  const { suppressed_findings, accepted_findings, not_looked_at_findings } = run
  const parts = severitySaid(counts)
  const suppressed = !!suppressed_findings && say`, and ${suppressed_findings} suppressed`
  const accepted = !!accepted_findings && say`; ${accepted_findings} of them accepted`
  const unseen = !!not_looked_at_findings && safe(`; ${not_looked_at_findings} not looked at`, 'warn')
  return say`${counts.total}${parts.length > 0 && say`: ${parts}`}${suppressed}${accepted}${unseen}`
}

/** `2 critical, 5 high`, worst first. */
const severitySaid = (counts: FindingCounts) =>
  joined(
    findingSeverities
      .filter((severity) => counts[severity] > 0)
      .map((severity) => [safe(`${number(counts[severity])} ${severity}`, severity)]),
    ', ',
  )

const mostPaths = 5

/** Only if the report has risk paths. */
function pathDetails({ risk_paths }: ReceivedRun) {
  if (!risk_paths) return []
  const open = risk_paths.filter(({ is_open }) => is_open)
  if (open.length === 0) return [detail('Risk paths', say`none open`)]
  const names = open.map(({ id, name }) => `${id} ${name}`)
  const listedNames = named('text', listed(names, mostPaths), { tone: 'bad' })
  return [detail('Risk paths', [safe(`${open.length} open: `, 'bad'), listedNames])]
}

function artifactsText({ artifacts }: ReceivedRun) {
  if (artifacts === null) return 'unknown'
  const { images, helm_charts, apps } = artifacts
  const parts = [
    ...(images > 0 ? [count(images, 'image')] : []),
    ...(helm_charts > 0 ? [count(helm_charts, 'Helm chart')] : []),
    ...(apps > 0 ? [count(apps, 'app')] : []),
  ]
  return parts.length > 0 ? parts.join(', ') : 'no known images'
}

function vulnerableText(freshness: ReceivedFreshness | null) {
  const known = freshness?.items.filter(({ advisories_count }) => advisories_count !== null) ?? []
  if (known.length === 0) return 'unknown'
  const affected = known.filter(({ advisories_count }) => advisories_count! > 0)
  const worst = severities.findLast((severity) => affected.some((item) => item.highest_advisory_severity === severity))
  const edge = affected.length === 0 ? `. ${advisoryEdge(freshness?.coverage)}` : ''
  return `${affected.length} of ${count(known.length, 'artifact')}${worst ? `, highest severity ${worst}` : ''}${edge}`
}

/** `failed (2026-11-22 10:00:00)`, for a line of details. */
export function gateSaid(gate: ReceivedRun['gate'], run: Parameters<typeof recordedTone>[1], now: UnixSeconds): Said {
  if (!gate) return say`no verdict is recorded`
  return say`${safe(gate.verdict, recordedTone(gate, run, now))} (${safe(gate.at)})`
}

/** `SEC003, namespace shop`: what an earlier scan read and this one did not; undefined if nothing is missing. */
function missedText({ subjects = [] }: ReceivedRun): string | undefined {
  const parts = subjects.flatMap(({ parts }) => parts.flatMap(({ name, was_read }) => (was_read ? name : [])))
  const places = subjects.flatMap(({ places }) => (places.were_read ?? []).map((name) => `namespace ${name}`))
  return parts.length + places.length === 0 ? undefined : listed([...new Set([...parts, ...places])])
}

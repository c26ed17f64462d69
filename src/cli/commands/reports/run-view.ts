import { findingSeverities, severities } from '../../../contract/choices.ts'
import type { ReceivedFreshness, ReceivedRun } from '../../../contract/received/cluster-report.ts'
import type { AksReadiness } from '../../../contract/risk-path.ts'
import type { FindingCounts } from '../../../contract/scan-finding.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { number } from '../../../util/words.ts'
import { advisoryEdge } from '../../../views/advisory-edge.ts'
import { judgedRun } from '../../../views/gate.ts'
import { missingScopeText } from '../../../views/scope.ts'
import { gapsText, hasGaps, markedScore } from '../../../views/score.ts'
import { renderDetails } from '../../output/details.ts'
import type { Io } from '../../output/io.ts'
import { gateText } from '../gate/recorded-view.ts'
import { listNotRun } from './not-run-view.ts'
import { colorOfSeverity } from './severity.ts'

interface RunOptions {
  /** Null: it could not be read. */
  freshness?: ReceivedFreshness | null
  /** Whole reasons of checks that did not run. */
  explain?: boolean | undefined
  /** Unix seconds. */
  now: number
}

const maxNamed = 5

/** A run in a few lines. */
export function renderRun(io: Io, run: ReceivedRun, { freshness, explain, now }: RunOptions): string {
  const { color } = io
  const place = [run.environment, run.provider, run.region, run.kubernetes_version].filter((part) => part !== null)
  return renderDetails(io, [
    [
      'Cluster',
      `${color.bold(plain(run.cluster_name ?? 'unknown'))}${place.length > 0 ? ` (${plain(place.join(', '))})` : ''}`,
    ],
    ['Scanned', `${run.finished_at ?? run.started_at ?? run.ingested_at ?? 'unknown'}${describeScanner(run)}`],
    [
      'Score',
      run.score === null ? 'none' : `${color.bold(markedScore(run.score, run)!)}${computed(run)}${gapsOf(io, run)}`,
    ],
    ['Checks', `${run.total_checks ?? '-'}, ${run.failed_checks ?? '-'} failed${renderNotRun(io, run, explain)}`],
    ...missingScope(io, run),
    [
      'Findings',
      run.findings ? `${number(run.findings.total)}${renderCounts(io, run.findings)}${renderApart(run)}` : 'unknown',
    ],
    ...riskFields(io, run),
    ['Artifacts', describeArtifacts(run)],
    ...(freshness === undefined ? [] : [['Vulnerable', describeVulnerable(freshness)] satisfies [string, string]]),
    ...(freshness === undefined || !run.gate
      ? []
      : [['Gate', gateText(io, run.gate, judgedRun(run, now), now)] satisfies [string, string]]),
  ])
}

const gapsOf = ({ color }: Io, run: ReceivedRun): string =>
  hasGaps(run) ? color.yellow(`, with gaps: ${gapsText(run)}`) : ''

/** Only where something is missing. */
function missingScope({ color }: Io, { accepted_scope }: ReceivedRun): [string, string][] {
  const missing = accepted_scope && missingScopeText(accepted_scope)
  return missing ? [['Scope', color.yellow(`without ${missing}; see \`relt gate accept-scope --dry-run\``)]] : []
}

/** Only where the report says something of them. */
function riskFields({ color }: Io, { risk_paths, aks_readiness }: ReceivedRun): [string, string][] {
  const open = (risk_paths ?? []).filter(({ is_open }) => is_open)
  const names = open.slice(0, maxNamed).map(({ id, name }) => `${plain(id)} ${plain(name)}`)
  const more = open.length - names.length
  const listed = `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return [
    ...(risk_paths
      ? [
          ['Risk paths', open.length === 0 ? 'none open' : color.red(`${open.length} open: ${listed}`)] satisfies [
            string,
            string,
          ],
        ]
      : []),
    ...(aks_readiness ? [['AKS Automatic', readinessText(aks_readiness)] satisfies [string, string]] : []),
  ]
}

export function readinessText({ status, label, blocker_count, warning_count, skipped, message }: AksReadiness): string {
  const word = plain(label ?? status ?? 'unknown')
  if (skipped) return `not assessed${message === null ? '' : `: ${plain(message)}`}`
  const counts = [
    blocker_count === null ? '' : count(blocker_count, 'blocker'),
    warning_count === null ? '' : count(warning_count, 'warning'),
  ].filter(Boolean)
  return [word, ...counts].join(', ')
}

function describeVulnerable(freshness: ReceivedFreshness | null): string {
  if (!freshness) return 'unknown'
  const { items } = freshness
  const known = items.filter(({ advisories_count }) => advisories_count !== null)
  if (known.length === 0) return 'unknown'
  const affected = known.filter(({ advisories_count }) => advisories_count! > 0)
  const worst = severities.findLast((severity) => affected.some((item) => item.highest_advisory_severity === severity))
  const edge = affected.length === 0 ? `. ${advisoryEdge(freshness.coverage)}` : ''
  return `${affected.length} of ${count(known.length, 'artifact') || '0 artifacts'}${worst ? `, highest severity ${worst}` : ''}${edge}`
}

/** Checks that did not run have no findings, but did not pass either. */
function renderNotRun(
  { color }: Io,
  { not_run_checks, checks_not_run }: ReceivedRun,
  explain: boolean | undefined,
): string {
  if (!not_run_checks) return ''
  return color.yellow(`, ${not_run_checks} did not run${listNotRun(checks_not_run ?? [], { explain })}`)
}

const renderApart = ({ suppressed_findings, accepted_findings }: ReceivedRun): string =>
  [
    suppressed_findings ? `, and ${number(suppressed_findings)} suppressed` : '',
    accepted_findings ? `; ${number(accepted_findings)} of them accepted` : '',
  ].join('')

function renderCounts(io: Io, counts: FindingCounts): string {
  const parts = findingSeverities
    .filter((severity) => counts[severity] > 0)
    .map((severity) => colorOfSeverity(io, severity)(`${number(counts[severity])} ${severity}`))
  return parts.length > 0 ? `: ${parts.join(', ')}` : ''
}

const describeScanner = ({ format }: ReceivedRun): string =>
  format === 'kubebuddy' || format === null ? '' : ` by ${format}`

const computed = ({ score_source, format }: ReceivedRun): string =>
  score_source === 'computed' ? ` (computed: ${format ?? 'the scanner'} has none)` : ''

function describeArtifacts({ artifacts }: ReceivedRun): string {
  if (artifacts === null) return 'unknown'
  const { images, helm_charts, apps } = artifacts
  const parts = [count(images, 'image'), count(helm_charts, 'Helm chart'), count(apps, 'app')].filter(Boolean)
  return parts.length > 0 ? parts.join(', ') : 'no known images'
}

function count(many: number, noun: string): string {
  return many === 0 ? '' : `${number(many)} ${noun}${many === 1 ? '' : 's'}`
}

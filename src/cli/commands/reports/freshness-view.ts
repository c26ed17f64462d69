import { offeringNames } from '../../../contract/choices.ts'
import type { Eol, RunningAdvisory, UndecidedAdvisory } from '../../../contract/freshness.ts'
import type {
  ReceivedFreshness,
  ReceivedFreshnessItem,
  ReceivedRun,
} from '../../../contract/received/cluster-report.ts'
import { advisoryEdge } from '../../../freshness/advisory-edge.ts'
import { coverageText } from '../../../freshness/coverage-text.ts'
import { rangeText } from '../../../freshness/range-text.ts'
import { supportText } from '../../../lifecycle/support-text.ts'
import { type Column, renderTable } from '../../../render/terminal/table.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { formatTimestamp } from '../../../util/time.ts'
import { advisoryWord } from '../../../views/advisory-word.ts'
import { type StatusTone, statusTone, statusWord } from '../../../views/artifact.ts'
import { hasBadState, hasState, stateWords } from '../../../views/state.ts'
import { stepWord } from '../../../views/step.ts'
import type { Io } from '../../output/io.ts'
import { summaryOf } from './freshness-summary.ts'

/** Days before an end of support at which it is shown. */
const warnedDays = 90

/** `now` is in unix seconds. */
export function renderFreshness(
  io: Io,
  freshness: ReceivedFreshness,
  { run, now }: { run: Pick<ReceivedRun, 'cluster_name' | 'artifacts'>; now: number },
): string {
  const { color } = io
  const soon = dayOfWarning(now)
  return [
    `${color.bold(plain(run.cluster_name ?? 'Unknown cluster'))}  ${summaryText(io, freshness)}\n`,
    freshness.items.length > 0 ? renderTable(io, freshnessColumns(io, soon), freshness.items) : '',
    ...freshness.items.map((item) => kubernetesLine(io, item, soon)),
    managedLines(io, freshness.items),
    renderCoverage(io, freshness, { run, now }),
    freshness.items.some(({ advisories_count }) => advisories_count === 0)
      ? color.dim(`${advisoryEdge(freshness.coverage)}\n`)
      : '',
    freshness.catalog_date === null
      ? ''
      : color.dim(`Measured against the catalog of ${freshness.catalog_date}; add --explain for the reasons.\n`),
  ].join('')
}

/** Ends of support until this day are shown. `now` is in unix seconds. */
export const dayOfWarning = (now: number): string => formatTimestamp(now + warnedDays * 86_400).slice(0, 10)

/** `5 outdated (2 major), 3 up to date, 1 unknown`. */
export function summaryText(io: Io, { summary, items }: Pick<ReceivedFreshness, 'summary' | 'items'>): string {
  const { major_behind, minor_behind, up_to_date, unknown, managed } = summary ?? summaryOf(items)
  return [
    ...stateCounts(io, items),
    painter(io, major_behind > 0 ? 'bad' : 'warn')(`${major_behind + minor_behind} outdated (${major_behind} major)`),
    painter(io, items.some(isFalselyGreen) ? 'none' : 'good')(`${up_to_date} up to date`),
    painter(io, 'none')(`${unknown} unknown`),
    ...(managed ? [painter(io, 'none')(`${managed} managed`)] : []),
    ...vulnerableCount(io, items),
  ].join(', ')
}

/** Up to date, and in a state that is not good. */
const isFalselyGreen = (item: ReceivedFreshnessItem): boolean => item.status === 'up_to_date' && hasBadState(item)

/** `1 compromised, 2 retired` */
function stateCounts(io: Io, items: ReceivedFreshnessItem[]): string[] {
  return (['compromised', 'withdrawn', 'retired'] as const).flatMap((state) => {
    const count = items.filter((item) => hasState(item, state)).length
    return count === 0 ? [] : [painter(io, 'bad')(`${count} ${stateWords[state]}`)]
  })
}

/** Nothing if the server does not list advisories. Green only if every artifact is known to be unaffected. */
function vulnerableCount({ color }: Io, items: ReceivedFreshnessItem[]): string[] {
  const known = items.filter(({ advisories_count }) => advisories_count !== null)
  if (known.length === 0) return []
  const affected = known.filter(({ advisories_count }) => advisories_count! > 0).length
  if (affected > 0) return [color.red(`${affected} vulnerable`)]
  const isDecided = known.length === items.length && items.every((item) => !item.advisories_undecided)
  return [isDecided ? color.green('0 vulnerable') : color.dim('0 known to be vulnerable')]
}

/** One line, and none where the server does not count. */
export function renderCoverage(
  { color }: Io,
  { coverage }: ReceivedFreshness,
  { run, now }: { run: Pick<ReceivedRun, 'artifacts'>; now: number },
): string {
  return coverage ? color.dim(`${coverageText(coverage, run, formatTimestamp(now).slice(0, 10))}.\n`) : ''
}

/** `soon` is the day until which ends of support are shown. */
export const freshnessColumns = (io: Io, soon: string): Column<ReceivedFreshnessItem>[] => [
  { title: 'Status', value: statusWord, style: (cell, item) => painter(io, statusTone(item))(cell) },
  { title: 'Type', value: ({ artifact_type: type }) => type && shortTypes[type] },
  { title: 'Artifact', value: describe, min: 16 },
  { title: 'Runs', value: (item) => item.current_version ?? '-', min: 9 },
  { title: 'Step', value: (item) => (item.steps ? stepWord(item) : (item.same_line_version ?? '')), min: 9 },
  { title: 'Newest', value: (item) => item.latest_version ?? '', min: 9, from: 100 },
  {
    title: 'Advisories',
    value: advisoryWord,
    style: (cell, item) => paintAdvisories(io, item)(cell),
    min: 12,
  },
  { title: 'Behind', value: (item) => behind(item, soon), min: 9 },
  {
    title: 'Confidence',
    value: (item) => (item.status === 'unknown' ? '' : confidenceOf(item)),
    align: 'right',
    from: 100,
  },
  { title: 'Reason', value: whyUnknown, min: 20, from: 140 },
]

/** Kubernetes names itself. */
const shortTypes = { image: 'image', helm_chart: 'chart', app: 'app', kubernetes: '' } as const

/** Components of an offering itself need no reason. */
function whyUnknown({ status, vendor_component, reason }: ReceivedFreshnessItem): string {
  return status === 'unknown' && !vendor_component ? (reason ?? '') : ''
}

/** A number, or the word of a server that has no numbers. */
function confidenceOf({ confidence }: ReceivedFreshnessItem): string | null {
  return typeof confidence === 'number' ? `${Math.round(confidence * 100)}%` : confidence
}

const typeWords = { image: '', helm_chart: 'chart ', app: 'app ', kubernetes: '' } as const

/** Without the version, which has its own column. */
function describe({ display_name, current_version }: ReceivedFreshnessItem): string {
  const name = display_name ?? '-'
  return current_version && name.endsWith(current_version) ? name.slice(0, -current_version.length - 1) : name
}

function behind(item: ReceivedFreshnessItem, soon: string): string {
  const { status, releases_behind, days_behind, eol } = item
  const least = item.releases_behind_at_least ? '≥ ' : ''
  const parts =
    status === 'unknown'
      ? [support(eol, soon), runBy(item)]
      : [
          support(eol, soon),
          releases_behind ? `${least}${releases_behind} rel` : '',
          days_behind ? `${days_behind} d` : '',
        ]
  const behind = parts.filter(Boolean).join(', ')
  return status.endsWith('_behind') && item.managed_by ? `${nameOf(item.managed_by)}: ${behind}` : behind
}

function runBy({ managed_by, vendor_component }: ReceivedFreshnessItem): string {
  return managed_by ? `${vendor_component ? 'part of' : 'run by'} ${nameOf(managed_by)}` : ''
}

function nameOf(offering: string): string {
  return offeringNames[offering] ?? offering
}

/** One line for each offering that runs artifacts of the cluster. */
function managedLines({ color }: Io, items: ReceivedFreshnessItem[]): string {
  const byOffering = Map.groupBy(items, ({ managed_by }) => managed_by ?? '')
  byOffering.delete('')
  const lines = [...byOffering].map(([id, { length }]) => {
    const what = length === 1 ? '1 artifact, which comes' : `${length} artifacts, which come`
    return `${plain(nameOf(id))} runs ${what} with the cluster's upgrade.\n`
  })
  return lines.map((line) => color.dim(line)).join('')
}

function support(eol: Eol | undefined, soon: string): string {
  if (eol?.is_eol) return 'end of life'
  return eol?.date && eol.date <= soon ? `ends ${eol.date}` : ''
}

/** One line, and none for what is not Kubernetes. */
function kubernetesLine(io: Io, { artifact_type, eol }: ReceivedFreshnessItem, soon: string): string {
  if (artifact_type !== 'kubernetes' || !eol) return ''
  const paint = eol.is_eol ? io.color.red : support(eol, soon) ? io.color.yellow : io.color.dim
  return `${paint(`${plain(supportText(`Kubernetes ${eol.cycle}`, eol))}.`)}\n`
}

function paintAdvisories({ color }: Io, item: ReceivedFreshnessItem): (text: string) => string {
  if ((item.advisories_count ?? 0) === 0) return color.dim
  const isUrgent = ['critical', 'high'].includes(item.highest_advisory_severity ?? '')
  return isUrgent || (item.advisories_exploited ?? 0) > 0 ? color.red : color.yellow
}

/** Renders `--explain`: evidence and advice for each artifact. The advice mentions an ended support. */
export function renderExplanations(io: Io, items: ReceivedFreshnessItem[]): string {
  return items.map((item) => explain(io, item)).join('\n')
}

function explain(io: Io, item: ReceivedFreshnessItem): string {
  const { color } = io
  const lines = [
    `${painter(io, statusTone(item))(statusWord(item).padEnd(8))}${color.bold(plain(`${item.artifact_type === null ? '' : typeWords[item.artifact_type]}${item.display_name ?? '-'}`))}${item.status === 'unknown' ? '' : color.dim(`  confidence ${confidenceOf(item) ?? '-'}`)}`,
    `  ${plain(item.reason ?? 'No reason is given.')}`,
    ...(item.eol && !item.eol.is_eol ? [`  ${plain(supportText(item.eol.cycle, item.eol))}.`] : []),
    ...(item.facts ?? []).flatMap(({ source }) => (source === null ? [] : [color.dim(`  source: ${plain(source)}`)])),
    ...(item.recommendation ? [`  ${color.cyan('→')} ${plain(item.recommendation)}`] : []),
    ...(item.notes ?? []).map(({ what }) => `  ${color.dim('note:')} ${plain(what)}`),
    ...(item.advisories ?? []).map((advisory) => `  ${color.red('!')} ${plain(advisoryText(advisory))}`),
    ...undecidedTexts(item).map((line) => `  ${color.yellow('?')} ${plain(line)}`),
    ...scannedText(item).map((line) => `  ${plain(line)}`),
    ...(item.candidates ?? []).map(
      (candidate) =>
        `  ${candidate.taken ? color.green('✓') : color.dim('✗')} ${plain(candidate.name)} by ${candidate.matched_by.replace('_', ' ')} (${Math.round(candidate.confidence * 100)}%): ${plain(candidate.reason)}`,
    ),
    ...(item.workloads?.length ? [color.dim(`  runs in ${plain(list(item.workloads))}`)] : []),
  ]
  return `${lines.join('\n')}\n`
}

function advisoryText({ id, severity, score, published, ranges = [], seen_by, exploited }: RunningAdvisory): string {
  const rated = [severity ?? 'not rated', score === null ? '' : String(score)].filter(Boolean).join(' ')
  const affects = ranges.length > 0 ? `: affects ${ranges.map(rangeText).join(', ')}` : ''
  const listed = exploited ? `exploited, listed ${exploited.since}` : ''
  const facts = [listed, rated, published ? `published ${published}` : '', witnessText(seen_by)].filter(Boolean)
  return `${id} (${facts.join(', ')})${affects}`
}

/** Nothing for an image that no scanner saw. */
function witnessText(seenBy: RunningAdvisory['seen_by']): string {
  if (!seenBy) return ''
  const names = seenBy.map((one) => (one === 'trivy' ? 'Trivy' : 'the catalog'))
  return `seen by ${names.join(' and ')}${names.length === 1 ? ' only' : ''}`
}

/** The scanner's advisories about an image, most of which are about packages inside. */
function scannedText({ scanned }: ReceivedFreshnessItem): string[] {
  if (!scanned) return []
  const { advisories, shared, seen_at } = scanned
  const rest = advisories - shared
  const listed = `Trivy listed ${advisories} ${advisories === 1 ? 'advisory' : 'advisories'} about this image on ${seen_at.slice(0, 10)}`
  return [`${listed}, ${shared} of them above; ${rest} about packages inside it, or unknown to the catalog.`]
}

/** A server may only count them. */
function undecidedTexts({
  advisories_undecided: total,
  undecided_advisories: listed,
}: ReceivedFreshnessItem): string[] {
  if (!total) return []
  if (!listed) return [`${total} advisories cannot be compared with this version.`]
  return listed.map(({ id, severity, reason, seen_by, exploited }: UndecidedAdvisory) => {
    const facts = [exploited ? 'exploited' : '', severity ?? 'not rated', seen_by ? 'seen by Trivy' : ''].filter(
      Boolean,
    )
    return `${id} (${facts.join(', ')}): undecided, ${reason}`
  })
}

function list(workloads: string[]): string {
  const shown = workloads.slice(0, 5).join(', ')
  return workloads.length > 5 ? `${shown} and ${workloads.length - 5} more` : shown
}

function painter({ color }: Io, tone: StatusTone): (text: string) => string {
  return { bad: color.red, warn: color.yellow, good: color.green, none: color.dim }[tone]
}

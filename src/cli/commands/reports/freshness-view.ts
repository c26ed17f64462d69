import type { RunningAdvisory, UndecidedAdvisory } from '../../../contract/freshness.ts'
import { ratingText } from '../../../contract/rating-text.ts'
import type {
  ReceivedFreshness,
  ReceivedFreshnessItem,
  ReceivedRun,
} from '../../../contract/received/cluster-report.ts'
import { rangeText } from '../../../freshness/range-text.ts'
import { factsDay } from '../../../lifecycle/step-text.ts'
import { supportText } from '../../../lifecycle/support-text.ts'
import { drawColumns, drawFigure, drawNote, drawSaid, paint } from '../../../render/terminal/draw.ts'
import { type Column, renderTable } from '../../../render/terminal/table.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { coverageText } from '../../../reports/coverage-text.ts'
import { formatDay } from '../../../util/time.ts'
import { count, listed } from '../../../util/words.ts'
import { advisoryEdge } from '../../../views/advisory-edge.ts'
import { isNewestKnown, needsAttention, sortByUrgency, statusTone, statusWord } from '../../../views/artifact.ts'
import {
  advisoryMark,
  kubernetesNotes,
  managedNotes,
  summaryFigures,
  takenMark,
  undecidedMark,
} from '../../../views/freshness.ts'
import { freshnessColumns, typedName } from '../../../views/freshness-columns.ts'
import { nodeNotes } from '../../../views/nodes.ts'
import { chosen } from '../../../views/view.ts'
import type { Io } from '../../output/io.ts'
import { fold, linesIn } from '../../output/print.ts'

interface FreshnessView {
  run: Pick<ReceivedRun, 'cluster_name' | 'artifacts'>
  /** In unix seconds. */
  now: number
  /** Maximum lines: only artifacts that need work are shown. Default: all artifacts. */
  room?: number | undefined
}

export function renderFreshness(io: Io, freshness: ReceivedFreshness, { run, now, room }: FreshnessView) {
  const { color } = io
  const { items, catalog_date } = freshness
  const notes = [...kubernetesNotes(items, now), ...managedNotes(items), ...nodeNotes(freshness, now)]
  const sorted = sortByUrgency(items)
  const render = (rows: ReceivedFreshnessItem[], hidden: string) =>
    [
      `${color.bold(plain(run.cluster_name ?? 'Unknown cluster'))}  ${summaryText(io, freshness)}\n`,
      rows.length > 0 ? renderTable(io, tableColumns(io, now), rows) : '',
      hidden,
      ...notes.map((note) => `${drawNote(io, note)}\n`),
      renderCoverage(io, freshness, { run, now }),
      items.some(({ advisories_count }) => advisories_count === 0)
        ? color.dim(`${advisoryEdge(freshness.coverage)}\n`)
        : '',
      catalog_date === null
        ? ''
        : color.dim(`The oldest facts are of ${catalog_date}; add --explain for the reasons.\n`),
    ].join('')
  if (room === undefined) return render(sorted, '')
  const open = items.filter(needsAttention).length
  const others = items.filter((item) => !needsAttention(item))
  for (let many = Math.min(open, room); ; many--) {
    const text = fold(io, render(sorted.slice(0, many), hiddenText(open - many, others)))
    if (many <= 1 || linesIn(text) <= room) return text
  }
}

/** `+8 less urgent, 21 current or unknown: --full`. */
function hiddenText(open: number, others: ReceivedFreshnessItem[]) {
  const newest = others.some(isNewestKnown) ? 'newest known' : 'current'
  const parts = [
    ...(open > 0 ? [`${open} less urgent`] : []),
    ...(others.length > 0 ? [`${others.length} ${newest} or unknown`] : []),
  ]
  return parts.length > 0 ? `+${parts.join(', ')}: --full\n` : ''
}

/** `5 outdated (2 major), 3 up to date, 1 unknown`. */
export const summaryText = (io: Io, answer: Pick<ReceivedFreshness, 'summary' | 'items'>) =>
  summaryFigures(answer)
    .map((figure) => drawFigure(io, figure.key === 'outdated' ? figure : { ...figure, more: [] }))
    .join(', ')

/** One line; empty if the server returns no counts. */
export function renderCoverage(
  { color }: Io,
  { coverage }: ReceivedFreshness,
  { run, now }: { run: Pick<ReceivedRun, 'artifacts'>; now: number },
) {
  return coverage ? color.dim(`${coverageText(coverage, run, formatDay(now))}.\n`) : ''
}

export function tableColumns<Row extends ReceivedFreshnessItem>(io: Io, now: number): Column<Row>[] {
  const columns = freshnessColumns({ now })
  const shown = [
    ...chosen(columns, 'status', 'artifact', 'runs', 'step', 'newest'),
    ...chosen(columns, 'advisories', 'behind', 'facts', 'reason'),
  ]
  return drawColumns(io, shown)
}

/** Renders `--explain`: evidence and advice for each artifact. The advice includes ended support. */
export const renderExplanations = (io: Io, items: ReceivedFreshnessItem[]) =>
  items.map((item) => explain(io, item)).join('\n')

function explain(io: Io, item: ReceivedFreshnessItem) {
  const { color } = io
  const facts = factsDay(item)
  const lines = [
    `${paint(io, statusTone(item))(statusWord(item).padEnd(8))}${color.bold(plain(typedName({ ...item, short_name: undefined })))}${facts === null ? '' : color.dim(`  facts of ${facts}`)}`,
    `  ${plain(item.reason ?? 'No reason is given.')}`,
    ...(item.eol && !item.eol.is_eol ? [`  ${plain(supportText(item.eol.cycle, item.eol))}.`] : []),
    ...(item.facts ?? []).flatMap(({ source }) => (source === null ? [] : [color.dim(`  source: ${plain(source)}`)])),
    ...(item.recommendation ? [`  ${color.cyan('→')} ${plain(item.recommendation)}`] : []),
    ...(item.notes ?? []).map(({ what }) => `  ${color.dim('note:')} ${plain(what)}`),
    ...(item.advisories ?? []).map((advisory) => `  ${drawSaid(io, advisoryMark)} ${plain(advisoryText(advisory))}`),
    ...undecidedTexts(item).map((line) => `  ${drawSaid(io, undecidedMark)} ${plain(line)}`),
    ...scannedText(item).map((line) => `  ${plain(line)}`),
    ...(item.candidates ?? []).map(
      (candidate) =>
        `  ${drawSaid(io, takenMark(candidate.taken))} ${plain(candidate.name)} by ${candidate.matched_by}: ${plain(candidate.reason)}`,
    ),
    ...(item.workloads?.length ? [color.dim(`  runs in ${plain(listed(item.workloads, 5))}`)] : []),
  ]
  return `${lines.join('\n')}\n`
}

function advisoryText({ id, severity, score, published, ranges = [], seen_by, exploited }: RunningAdvisory) {
  const rated = [ratingText(severity), score === null ? '' : String(score)].filter(Boolean).join(' ')
  const affects = ranges.length > 0 ? `: affects ${ranges.map(rangeText).join(', ')}` : ''
  const listed = exploited ? `exploited, listed ${exploited.since}` : ''
  const facts = [listed, rated, published ? `published ${published}` : '', witnessText(seen_by)].filter(Boolean)
  return `${id} (${facts.join(', ')})${affects}`
}

/** Empty for an image that no scanner reported. */
function witnessText(seenBy: RunningAdvisory['seen_by']) {
  if (!seenBy) return ''
  const names = seenBy.map((one) => (one === 'trivy' ? 'Trivy' : 'the catalog'))
  return `seen by ${names.join(' and ')}${names.length === 1 ? ' only' : ''}`
}

/** The scanner's advisories about an image, most of which concern its packages. */
function scannedText({ scanned }: ReceivedFreshnessItem) {
  if (!scanned) return []
  const { advisories, shared, seen_at } = scanned
  const rest = advisories - shared
  const listed = `Trivy listed ${count(advisories, 'advisory', 'advisories')} about this image on ${seen_at.slice(0, 10)}`
  return [`${listed}, ${shared} of them above; ${rest} about packages inside it, or unknown to the catalog.`]
}

/** Some servers only count them. */
function undecidedTexts(item: ReceivedFreshnessItem) {
  const { advisories_undecided: total, undecided_advisories: listed } = item
  if (!total) return []
  if (!listed) return [`${total} advisories cannot be compared with this version.`]
  return listed.map(({ id, severity, reason, seen_by, exploited }: UndecidedAdvisory) => {
    const facts = [exploited ? 'exploited' : '', ratingText(severity), seen_by ? 'seen by Trivy' : ''].filter(Boolean)
    return `${id} (${facts.join(', ')}): undecided, ${reason}`
  })
}

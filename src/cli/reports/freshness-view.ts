import type { Eol, Freshness, FreshnessItem, FreshnessStatus } from '../../contract/cluster-report.ts'
import { type Io, plain } from '../io.ts'
import { type Column, renderTable } from '../table.ts'

const words: Record<FreshnessStatus, string> = {
  major_behind: 'major',
  minor_behind: 'minor',
  unknown: 'unknown',
  up_to_date: 'current',
}

export function renderFreshness(io: Io, freshness: Freshness, clusterName: string): string {
  const { color } = io
  const { major_behind, minor_behind, up_to_date, unknown } = freshness.summary
  const summary = [
    painter(io, 'major_behind')(`${major_behind} a major version behind`),
    painter(io, 'minor_behind')(`${minor_behind} behind`),
    painter(io, 'up_to_date')(`${up_to_date} up to date`),
    painter(io, 'unknown')(`${unknown} unknown`),
  ]
  return [
    `${color.bold(plain(clusterName))}  ${summary.join(', ')}\n`,
    freshness.items.length > 0 ? renderTable(io, columns(io), freshness.items) : '',
    color.dim(`Measured against the catalog of ${freshness.catalog_date}; --explain tells why.\n`),
  ].join('')
}

const columns = (io: Io): Column<FreshnessItem>[] => [
  { title: 'Status', value: (item) => words[item.status], style: (cell, item) => painter(io, item.status)(cell) },
  { title: 'Artifact', value: describe, min: 16, cutAt: 'start' },
  { title: 'Runs', value: (item) => item.current_version ?? '-', min: 9 },
  { title: 'Same line', value: (item) => item.same_line_version ?? '', min: 9, from: 100 },
  { title: 'Newest', value: (item) => item.latest_version ?? '', min: 9 },
  { title: 'Behind', value: (item) => behind(item, io.width >= 110), min: 6 },
  {
    title: 'Sure',
    value: (item) => (item.status === 'unknown' ? '' : `${Math.round(item.confidence * 100)}%`),
    align: 'right',
  },
]

const typeWords = { image: '', helm_chart: 'chart ', app: 'app ', kubernetes: '' } as const

/** Without the version, which stands in its own column. */
function describe({ artifact_type, display_name, current_version }: FreshnessItem): string {
  const name = `${typeWords[artifact_type]}${display_name}`
  return current_version && name.endsWith(current_version) ? name.slice(0, -current_version.length - 1) : name
}

function behind({ status, releases_behind, days_behind, reason, eol }: FreshnessItem, wide: boolean): string {
  if (status === 'unknown') return wide ? reason : ''
  const parts = [
    eol?.is_eol ? 'end of life' : '',
    releases_behind ? `${releases_behind} rel` : '',
    days_behind ? `${days_behind} d` : '',
  ]
  return parts.filter(Boolean).join(', ')
}

/** What `--explain` shows: the evidence and the way on, artifact by artifact. */
export function renderExplanations(io: Io, items: FreshnessItem[]): string {
  return items.map((item) => explain(io, item)).join('\n')
}

function explain(io: Io, item: FreshnessItem): string {
  const { color } = io
  const lines = [
    `${painter(io, item.status)(words[item.status].padEnd(8))}${color.bold(plain(`${typeWords[item.artifact_type]}${item.display_name}`))}${item.status === 'unknown' ? '' : color.dim(`  ${Math.round(item.confidence * 100)}% sure`)}`,
    `  ${plain(item.reason)}`,
    ...(item.eol ? [`  ${eolText(item.eol)}`] : []),
    ...(item.recommendation ? [`  ${color.cyan('→')} ${plain(item.recommendation)}`] : []),
    ...(item.candidates ?? []).map(
      (candidate) =>
        `  ${candidate.taken ? color.green('✓') : color.dim('✗')} ${plain(candidate.name)} by ${candidate.matched_by.replace('_', ' ')} (${Math.round(candidate.confidence * 100)}%): ${plain(candidate.reason)}`,
    ),
    ...(item.workloads.length > 0 ? [color.dim(`  runs in ${plain(list(item.workloads))}`)] : []),
  ]
  return `${lines.join('\n')}\n`
}

function eolText({ cycle, date, is_eol }: Eol): string {
  return `Support of ${cycle} ${is_eol ? 'ended' : 'ends'} on ${date}.`
}

function list(workloads: string[]): string {
  const shown = workloads.slice(0, 5).join(', ')
  return workloads.length > 5 ? `${shown} and ${workloads.length - 5} more` : shown
}

function painter({ color }: Io, status: FreshnessStatus): (text: string) => string {
  return { major_behind: color.red, minor_behind: color.yellow, up_to_date: color.green, unknown: color.dim }[status]
}

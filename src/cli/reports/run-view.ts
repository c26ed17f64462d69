import type { FindingCounts } from '../../contract/cluster-report.ts'
import type { Run } from '../../contract/received/cluster-report.ts'
import { renderDetails } from '../details.ts'
import { type Io, plain } from '../io.ts'
import { colorOfSeverity } from './severity.ts'

/** A run in a few lines. */
export function renderRun(io: Io, run: Run): string {
  const { color } = io
  const place = [run.environment, run.provider, run.region, run.kubernetes_version].filter((part) => part !== null)
  return renderDetails(io, [
    [
      'Cluster',
      `${color.bold(plain(run.cluster_name ?? 'not known'))}${place.length > 0 ? ` (${plain(place.join(', '))})` : ''}`,
    ],
    ['Scanned', `${run.finished_at ?? run.started_at ?? run.ingested_at ?? 'not known'}${describeScanner(run)}`],
    ['Score', run.score === null ? 'none' : `${color.bold(String(run.score))}${computed(run)}`],
    ['Checks', `${run.total_checks ?? '-'}, ${run.failed_checks ?? '-'} failed`],
    ['Findings', run.findings ? `${run.findings.total}${renderCounts(io, run.findings)}` : 'not known'],
    ['Runs here', describeArtifacts(run)],
  ])
}

export function renderCounts(io: Io, counts: FindingCounts): string {
  const parts = (['critical', 'high', 'medium', 'low', 'info'] as const)
    .filter((severity) => counts[severity] > 0)
    .map((severity) => colorOfSeverity(io, severity)(`${counts[severity]} ${severity}`))
  return parts.length > 0 ? `: ${parts.join(', ')}` : ''
}

const describeScanner = ({ format }: Run): string => (format === 'kubebuddy' || format === null ? '' : ` by ${format}`)

const computed = ({ score_source, format }: Run): string =>
  score_source === 'computed' ? ` (computed: ${format ?? 'the scanner'} has none)` : ''

function describeArtifacts({ artifacts }: Run): string {
  if (artifacts === null) return 'not known'
  const { images, helm_charts, apps } = artifacts
  const parts = [count(images, 'image'), count(helm_charts, 'Helm chart'), count(apps, 'app')].filter(Boolean)
  return parts.length > 0 ? parts.join(', ') : 'no images known'
}

function count(number: number, noun: string): string {
  return number === 0 ? '' : `${number} ${noun}${number === 1 ? '' : 's'}`
}

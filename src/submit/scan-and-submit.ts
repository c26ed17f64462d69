import type { Inventory, ReportEnvelope } from '../contract/cluster-report.ts'
import { ReltError } from '../errors.ts'
import { namespaceRemark, type Profile } from '../profiles/index.ts'
import type { WrittenReport } from '../scan/report-file.ts'
import { runScanner } from '../scan/run-scanner.ts'
import { chooseRunner } from '../scan/runner.ts'
import type { RunnerName } from '../scan/runner-name.ts'
import { takeInventory } from '../scan/take-inventory.ts'
import { formatTimestamp } from '../util/time.ts'
import { during, type SubmitContext } from './context.ts'
import type { SubmitOutcome } from './submission.ts'
import { type SubmitOptions, submit } from './submit.ts'

export interface ScanOptions {
  profile: Profile
  /** Default: the first runner that is there. */
  runner?: RunnerName | undefined
  /** Tag of the scanner's image, for runners that start a container. */
  tag?: string | undefined
  timeoutMs?: number | undefined
  /** Folder in which the reports stay; without it only their content does. */
  keepIn?: string | undefined
  signal: AbortSignal
  /** Each line that the scanner prints, secrets masked; it may contain control characters. */
  onOutput?: (line: string) => void
}

export interface SubmitScanOptions extends ScanOptions, SubmitOptions {
  envelope: ReportEnvelope
  /** Source of an inventory if the report has none: a saved file, kubectl, or none. */
  inventory: Inventory | 'cluster' | 'none'
  /** Retries of the same scan share it (default: a new one). */
  idempotencyKey?: string
}

export interface ScanReport extends WrittenReport {
  /** Unix seconds. */
  startedAt: number
  finishedAt: number
}

export interface ScanSubmission {
  scan: ScanReport
  inventory: 'report' | 'file' | 'cluster' | 'none'
  outcome: SubmitOutcome
}

type ScanContext = Omit<SubmitContext, 'client' | 'server' | 'spool'>

const defaultTimeoutMs = 30 * 60_000

/** Throws as `chooseRunner` and `runScanner` do. No temporary file is left, however it ends. */
export async function scan(context: ScanContext, options: ScanOptions): Promise<ScanReport> {
  const { env, now, onWarning } = context
  const { profile, timeoutMs = defaultTimeoutMs, tag, keepIn, signal, onOutput } = options
  const remark = namespaceRemark(profile)
  if (remark) onWarning(remark)
  const startedAt = now()
  const runner = await chooseRunner(env, { wanted: options.runner, profile })
  const step = { name: 'scan', cluster: profile.cluster_name, runner: runner.name } as const
  const written = await during(context, step, () =>
    runScanner({ profile, runner, env, signal, timeoutMs, keepIn, tag, ...(onOutput && { onLine: onOutput }) }),
  )
  return { ...written, startedAt, finishedAt: now() }
}

/** Scans, takes the inventory and submits both as one run. */
export async function scanAndSubmit(context: SubmitContext, options: SubmitScanOptions): Promise<ScanSubmission> {
  const report = await scan(context, options)
  const { from, artifacts } = await inventoryFor(report, context, options)
  const run = { started_at: formatTimestamp(report.startedAt), finished_at: formatTimestamp(report.finishedAt) }
  const body = { source: 'relt', ...options.envelope, ...(artifacts && { artifacts }), run }
  const { idempotencyKey } = options
  const submission = { body, report: report.report, ...(idempotencyKey !== undefined && { idempotencyKey }) }
  const outcome = await submit(context, submission, options)
  return { scan: report, inventory: from, outcome }
}

/** A scan is worth storing without an inventory: a failure to take one is a warning. */
async function inventoryFor(
  { hasImages, excludedNamespaces }: WrittenReport,
  context: ScanContext,
  { inventory, signal }: SubmitScanOptions,
): Promise<{ from: ScanSubmission['inventory']; artifacts?: Inventory }> {
  if (hasImages) return { from: 'report' }
  if (inventory === 'none') return { from: 'none' }
  if (inventory !== 'cluster') return { from: 'file', artifacts: without(excludedNamespaces, inventory) }
  const { env, onWarning } = context
  try {
    const { inventory, warnings } = await during(context, { name: 'inventory' }, () =>
      takeInventory({ env, signal, excludedNamespaces }),
    )
    for (const warning of warnings) onWarning(warning)
    return { from: 'cluster', artifacts: inventory }
  } catch (error) {
    if (!(error instanceof ReltError) || error.code === 'cancelled') throw error
    onWarning(`Stored without an inventory: ${error.message} ${error.hint ?? ''}`)
    return { from: 'none' }
  }
}

function without(namespaces: string[], { images, helmCharts, apps, owners, ...rest }: Inventory): Inventory {
  const isIn = (row: { namespace?: string | null | undefined }) => !namespaces.includes(row.namespace ?? '')
  return {
    images: images?.filter(isIn),
    helmCharts: helmCharts?.filter((chart) => isIn({ namespace: chart.releaseNamespace ?? chart.namespace })),
    apps: apps?.filter(isIn),
    owners: owners?.filter(isIn),
    ...rest,
  }
}

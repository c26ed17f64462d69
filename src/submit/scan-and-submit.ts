import type { Inventory } from '../contract/cluster-report.ts'
import { ReltError } from '../errors.ts'
import { namespaceRemark, type Profile } from '../profiles/index.ts'
import { findKubectl, type Kubectl } from '../scan/kubectl.ts'
import type { WrittenReport } from '../scan/report-file.ts'
import { runScanner } from '../scan/run-scanner.ts'
import { chooseRunner } from '../scan/runner.ts'
import type { RunnerName } from '../scan/runner-name.ts'
import { readServerVersion } from '../scan/server-version.ts'
import { takeInventory } from '../scan/take-inventory.ts'
import { during, type SubmitContext } from './context.ts'
import { contextFor, folderFor, type ReportOptions, toSubmission } from './report-options.ts'
import type { SubmitOutcome } from './submission.ts'
import { submit } from './submit.ts'

export interface ScanOptions extends ReportOptions {
  /** A stored profile; without one, scans the cluster of kubectl's context. */
  profile?: Profile | undefined
  /** Without a profile: namespaces to exclude in addition to the scanner's defaults. */
  excludeNamespaces?: string[] | undefined
  /** Default: the first available runner. */
  runner?: RunnerName | undefined
  /** Tag of the scanner's image, for runners that start a container. */
  tag?: string | undefined
  /** Source of an inventory if the report has none: a saved file, kubectl (the default), or none. */
  inventory?: Inventory | 'cluster' | 'none' | undefined
  /** Called with each line that the scanner prints; secrets are masked, control characters may remain. */
  onOutput?: (line: string) => void
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

/** Throws the errors of `chooseRunner` and `runScanner`. Always removes temporary files. */
export async function scan(submitContext: ScanContext, options: ScanOptions): Promise<ScanReport> {
  const { env, now, onWarning } = submitContext
  const { profile = adHocProfile(options), timeoutMs = defaultTimeoutMs, tag, signal, onOutput } = options
  const remark = namespaceRemark(profile)
  if (remark) onWarning(remark)
  const startedAt = now()
  const runner = await chooseRunner(env, { wanted: options.runner, profile })
  const context = contextFor({ ...options, profile })
  if (context !== undefined) await requireReachable({ env, signal, context })
  const step = { name: 'scan', cluster: profile.cluster_name, runner: runner.name } as const
  const written = await during(submitContext, step, () =>
    runScanner({
      profile,
      runner,
      context,
      env,
      signal,
      timeoutMs,
      keepIn: folderFor(options),
      tag,
      ...(onOutput && { onLine: onOutput }),
    }),
  )
  return { ...written, startedAt, finishedAt: now() }
}

function adHocProfile({ context = '', cluster = context, excludeNamespaces = [] }: ScanOptions): Profile {
  const output =
    excludeNamespaces.length > 0 ? { excludeNamespaces: true, additionalExcludedNamespaces: excludeNamespaces } : {}
  return { name: '', cluster_name: cluster, provider: 'kubernetes', settings: { output } }
}

/** Scans, reads the inventory and submits both as one run. */
export async function scanAndSubmit(context: SubmitContext, options: ScanOptions): Promise<ScanSubmission> {
  const report = await scan(context, options)
  const { from, inventory } = await inventoryFor(report, context, options)
  const outcome = await submit(context, toSubmission(options, { ...report, inventory }, options.profile), options)
  return { scan: report, inventory: from, outcome }
}

/** Detects an unreachable cluster immediately; the scanner would take minutes. Throws `scan_failed`. */
async function requireReachable({ env, ...target }: Pick<Kubectl, 'env' | 'signal' | 'context'>): Promise<void> {
  const file = findKubectl(env)
  if (file !== undefined) await readServerVersion({ ...target, env, file, timeoutMs: 25_000 })
}

/** A scan is useful without an inventory, so failing to read one is a warning. */
async function inventoryFor(
  { hasImages, excludedNamespaces }: WrittenReport,
  context: ScanContext,
  { inventory: wanted = 'cluster', signal, ...options }: ScanOptions,
): Promise<{ from: ScanSubmission['inventory']; inventory?: Inventory }> {
  if (hasImages) return { from: 'report' }
  if (wanted === 'none') return { from: 'none' }
  if (wanted !== 'cluster') return { from: 'file', inventory: without(excludedNamespaces, wanted) }
  const { env, onWarning } = context
  try {
    const { inventory, warnings } = await during(context, { name: 'inventory' }, () =>
      takeInventory({
        env,
        signal,
        excludedNamespaces,
        context: contextFor(options),
        deprecatedApis: options.deprecatedApis,
      }),
    )
    for (const warning of warnings) onWarning(warning)
    return { from: 'cluster', inventory }
  } catch (error) {
    if (!(error instanceof ReltError) || error.code === 'cancelled') throw error
    onWarning(`Stored without an inventory: ${error.message} For a saved one, use relt scan run --inventory FILE.`)
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

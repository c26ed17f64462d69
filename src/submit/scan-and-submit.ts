import type { Inventory } from '../contract/cluster-report.ts'
import { ReltError } from '../errors.ts'
import { KubeCluster } from '../kube/cluster.ts'
import { namespaceRemark, type Profile } from '../profiles/index.ts'
import type { WrittenReport } from '../scan/report-file.ts'
import { runScanner } from '../scan/run-scanner.ts'
import { chooseRunner, noScanner } from '../scan/runner.ts'
import type { RunnerName } from '../scan/runner-name.ts'
import { type TakenInventory, takeInventory, toReport } from '../scan/take-inventory.ts'
import { withoutStop } from '../util/words.ts'
import { during, type SubmitContext } from './context.ts'
import { contextFor, folderFor, type ReportOptions, toClusterName, toSubmission } from './report-options.ts'
import type { SubmitOutcome } from './submission.ts'
import { submit } from './submit.ts'

export interface ScanOptions extends ReportOptions {
  /** A stored profile; without one, scans the cluster of the current context. */
  profile?: Profile | undefined
  /** Without a profile: namespaces to exclude in addition to the scanner's defaults. */
  excludeNamespaces?: string[] | undefined
  /** Default: the first available runner. */
  runner?: RunnerName | undefined
  /** Tag of the scanner's image, for runners that start a container. */
  tag?: string | undefined
  /** Read what runs (default: true). */
  inventory?: boolean | undefined
  /** Called with each line that the scanner prints; secrets are masked, control characters may remain. */
  onOutput?: (line: string) => void
}

export interface ScanReport extends WrittenReport {
  /** Unix seconds. */
  startedAt: number
  finishedAt: number
}

export interface ScanSubmission {
  /** Without a scanner, only what runs. */
  scan: { report: Uint8Array; file: string | null }
  inventory: 'report' | 'cluster' | 'none'
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

/** Reads what runs, scans, and submits both as one run. What runs is stored even if the scan fails, or without a scanner. */
export async function scanAndSubmit(context: SubmitContext, options: ScanOptions): Promise<ScanSubmission> {
  const { profile = adHocProfile(options), inventory: isWanted = true } = options
  const startedAt = context.now()
  const taken = isWanted ? await inventoryOf(context, { ...options, profile }) : undefined
  let report: ScanReport
  try {
    report = await scan(context, options)
  } catch (error) {
    if (!taken || !(error instanceof ReltError)) throw error
    const isWithoutScanner = error.message === noScanner
    if (error.code !== 'scan_failed' && !isWithoutScanner) throw error
    const alone = await submitAlone(context, { ...options, taken, startedAt, why: error }).catch((cause: unknown) => {
      throw isWithoutScanner ? cause : error
    })
    if (!isWithoutScanner) throw storedWithout(error, alone.outcome)
    context.onWarning(`Stored what runs, without checks: ${error.message} ${error.hint ?? ''}`)
    return { scan: { report: alone.report, file: null }, inventory: 'cluster', outcome: alone.outcome }
  }
  const inventory = taken && without(report.excludedNamespaces, taken.inventory)
  const from = report.hasImages ? 'report' : taken ? 'cluster' : 'none'
  const outcome = await submit(context, toSubmission(options, { ...report, inventory }, options.profile), options)
  return { scan: report, inventory: from, outcome }
}

/** Stores what runs as a run of its own, named after its context unless something else names the cluster. */
async function submitAlone(
  context: SubmitContext,
  { taken, startedAt, why, ...options }: ScanOptions & { taken: TakenInventory; startedAt: number; why: ReltError },
) {
  const { profile, excludeNamespaces: excludedNamespaces } = options
  const report = toReport(taken, { excludedNamespaces, at: startedAt, noChecks: withoutStop(why.message) })
  const cluster = toClusterName(options) ?? taken.context
  const made = { report, startedAt, finishedAt: context.now(), inventory: undefined }
  return { report, outcome: await submit(context, toSubmission({ ...options, cluster }, made, profile), options) }
}

function storedWithout({ code, message, hint, output }: ReltError, { uploaded, spooled }: SubmitOutcome): ReltError {
  const stored = `What runs is stored as ${uploaded?.run_id ?? spooled?.spool_id}, without checks.`
  return new ReltError(code, message, { hint: [stored, hint].filter(Boolean).join(' '), ...(output && { output }) })
}

/** A scan is useful without an inventory, so failing to read one is a warning. Detects a cluster that is out of reach at once. */
async function inventoryOf(context: ScanContext, options: ScanOptions): Promise<TakenInventory | undefined> {
  const { signal, deprecatedApis, namespaces, excludeNamespaces } = options
  const { env, onWarning } = context
  try {
    await using cluster = new KubeCluster({ env, signal, context: contextFor(options) })
    const wanted = { deprecatedApis, namespaces, excludedNamespaces: excludeNamespaces }
    const taken = await during(context, { name: 'inventory' }, () => takeInventory(cluster, wanted))
    for (const warning of taken.warnings) onWarning(warning)
    return taken
  } catch (error) {
    const isPartial = error instanceof ReltError && (error.code === 'usage' || error.output !== undefined)
    if (!isPartial || contextFor(options) !== undefined) throw error
    onWarning(`Without an inventory: ${error.message}`)
    return undefined
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

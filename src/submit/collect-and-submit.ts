import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ReltError } from '../errors.ts'
import { KubeCluster } from '../kube/cluster.ts'
import { collectReports } from '../scan/collect-reports.ts'
import type { CollectSource } from '../scan/report-source.ts'
import { takeInventory, toReport } from '../scan/take-inventory.ts'
import { unwritable } from '../util/file-error.ts'
import { releaseMemory, saveMemory } from '../util/release-memory.ts'
import { replaceFile } from '../util/replace-file.ts'
import { formatTimestamp, type UnixSeconds } from '../util/time.ts'
import { during, type SubmitContext } from './context.ts'
import { type ReportOptions, toClusterName, toSubmission } from './report-options.ts'
import type { SubmitOutcome } from './submission.ts'
import { submit } from './submit.ts'

/** Collected reports do not name their cluster: it is named after its context, unless `cluster` does. */
export interface SubmitCollectedOptions extends ReportOptions {
  from: CollectSource
}

export interface CollectSubmission {
  /** JSON text. */
  report: Uint8Array
  /** Number of the operator's reports. */
  count: number
  /** Path of the saved reports; null without `out`. */
  file: string | null
  outcome: SubmitOutcome
}

/** In bytes. */
const largeReport = 4 * 1024 * 1024

const defaultTimeoutMs = 10 * 60_000

type CollectContext = Omit<SubmitContext, 'client' | 'server' | 'spool'>

/** Collects the reports of an operator and submits them as one run, with the inventory of the cluster. */
export async function collectAndSubmit(
  context: SubmitContext,
  options: SubmitCollectedOptions,
): Promise<CollectSubmission> {
  const { now, onWarning } = context
  const { from, out } = options
  const startedAt = now()
  saveMemory()
  const { report, count, warnings, inventory, cluster } = await collect(context, options)
  for (const warning of warnings) onWarning(warning)
  // Reading many reports leaves more unused memory than storing them needs.
  if (report.length > largeReport) releaseMemory('last-resort')
  const file = out === undefined ? null : save(out, { name: from, report, at: startedAt })
  const submission = toSubmission({ ...options, cluster }, { report, startedAt, finishedAt: now(), inventory })
  return { report, count, file, outcome: await submit(context, submission, options) }
}

async function collect(context: CollectContext, options: SubmitCollectedOptions) {
  const { from, timeoutMs = defaultTimeoutMs, signal } = options
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    return await during(context, { name: 'collect', from }, () =>
      readCluster(context, { ...options, signal: AbortSignal.any([signal, timeout]) }),
    )
  } catch (cause) {
    if (!timeout.aborted || signal.aborted) throw cause
    throw new ReltError('scan_failed', `The reports of ${from} were not read within ${timeoutMs / 1000} seconds.`, {
      hint: 'Allow more time.',
      cause,
    })
  }
}

/** The inventory is read first, because it lists the running workloads. It may be all that is wanted. */
async function readCluster({ env, now }: CollectContext, options: SubmitCollectedOptions) {
  const { from: source, context, signal } = options
  await using kube = new KubeCluster({ env, context, signal })
  const cluster = toClusterName(options) ?? kube.target.context
  if (cluster === undefined) throw new ReltError('usage', 'Nothing names the cluster.', { hint: 'Add --cluster NAME.' })
  const at = now()
  const taking = takeInventory(kube, options)
  if (source === 'inventory') {
    const taken = await taking
    const report = toReport(taken, { ...options, at, noChecks: 'only an inventory was asked for' })
    return { report, count: taken.read.length, inventory: undefined, warnings: taken.warnings, cluster }
  }
  const taken = await taking.catch((error: unknown) => {
    if (!(error instanceof ReltError) || error.code !== 'scan_failed' || !error.output) throw error
    const warnings = [`Stored without an inventory: ${error.message}`]
    return { inventory: undefined, running: undefined, kubernetesVersion: undefined, warnings, gap: error.output[0] }
  })
  const collected = await collectReports(kube, { ...taken, source, now })
  return { ...collected, cluster, inventory: taken.inventory, warnings: [...taken.warnings, ...collected.warnings] }
}

/** Saves the reports. Returns the path of the file. */
function save(folder: string, { name, report, at }: { name: string; report: Buffer; at: UnixSeconds }): string {
  const file = join(folder, `${name}-${formatTimestamp(at).replace(/\D/g, '')}.json`)
  try {
    mkdirSync(folder, { recursive: true })
    replaceFile(file, report)
  } catch (cause) {
    throw unwritable(file, cause, 'Choose another folder.')
  }
  return file
}

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ReltError } from '../errors.ts'
import { collectReports } from '../scan/collect-reports.ts'
import { findKubectl } from '../scan/kubectl.ts'
import type { ReportSource } from '../scan/report-source.ts'
import { readServerVersion } from '../scan/server-version.ts'
import { takeInventory } from '../scan/take-inventory.ts'
import { unwritable } from '../util/file-error.ts'
import { releaseMemory, saveMemory } from '../util/release-memory.ts'
import { replaceFile } from '../util/replace-file.ts'
import { formatTimestamp, type UnixSeconds } from '../util/time.ts'
import { during, type SubmitContext } from './context.ts'
import { type ReportOptions, toSubmission } from './report-options.ts'
import type { SubmitOutcome } from './submission.ts'
import { submit } from './submit.ts'

/** Collected reports do not name their cluster, so `cluster` or `context` must. */
export interface SubmitCollectedOptions extends ReportOptions {
  from: ReportSource
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
  const { report, count, warnings, inventory } = await collect(context, options)
  for (const warning of warnings) onWarning(warning)
  // Reading many reports leaves more unused memory than storing them needs.
  if (report.length > largeReport) releaseMemory('last-resort')
  const file = out === undefined ? null : save(out, { name: from, report, at: startedAt })
  const submission = toSubmission(options, { report, startedAt, finishedAt: now(), inventory })
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

/** The inventory is read first, because it lists the running workloads. */
async function readCluster(
  { env, now }: CollectContext,
  { from: source, context, deprecatedApis, signal }: SubmitCollectedOptions,
) {
  const target = { env, context, signal }
  const file = findKubectl(env)
  const kubernetesVersion = file === undefined ? undefined : await readServerVersion({ ...target, file })
  const { inventory, running, warnings, gap } = await takeInventory({ ...target, deprecatedApis }).catch(
    (error: unknown) => {
      if (!(error instanceof ReltError) || error.code !== 'scan_failed') throw error
      const warnings = [`Stored without an inventory: ${error.message}`]
      return { inventory: undefined, running: undefined, warnings, gap: error.output?.[0] ?? error.message }
    },
  )
  const collected = await collectReports({ ...target, source, running, gap, kubernetesVersion, now })
  return { ...collected, inventory, warnings: [...warnings, ...collected.warnings] }
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

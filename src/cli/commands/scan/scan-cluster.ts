import type { Inventory, ReportEnvelope } from '../../../contract/cluster-report.ts'
import { ReltError } from '../../../errors.ts'
import type { Profile } from '../../../profiles/index.ts'
import type { WrittenReport } from '../../../scan/report-file.ts'
import { interruptible } from '../../../util/interrupt.ts'
import { formatTimestamp } from '../../../util/time.ts'
import { findPipeline } from '../../input/pipeline.ts'
import { type Io, plain } from '../../output/io.ts'
import { withProgress } from '../../output/progress.ts'
import type { Cli } from '../../program/command.ts'
import { asProfile } from '../profiles/as-profile.ts'
import { readProfile } from '../profiles/find.ts'
import { type Outcome, storeOrKeep } from '../spool/store-or-keep.ts'
import { showLive } from './live-output.ts'
import type { AccessOptions } from './require-access.ts'
import type { ScanOptions } from './run.ts'

export interface Scanned {
  /** The JSON report, where reports are kept. */
  file: string | null
  /** JSON text. */
  report: Uint8Array
  /** Where what runs in the cluster was taken from. */
  inventory: 'report' | 'file' | 'cluster' | 'none'
  /** Undefined when nothing is to be stored. */
  outcome: Outcome | undefined
}

const defaultTimeoutMs = 30 * 60_000

/** Scans, takes the inventory and stores both; nothing temporary is left, however it ends. */
export async function scanCluster(cli: Cli, options: ScanOptions): Promise<Scanned> {
  const { context } = cli
  const profile = options.profile ? await storedProfile(cli, options.profile, options) : profileOf(options)
  const keepIn = options.out ?? profile.settings.output?.outputPath
  if (!options.upload && !keepIn) {
    throw new ReltError('usage', 'Nothing would be left of the scan.', { hint: 'Add --out FOLDER to --no-upload.' })
  }
  const { namespaceRemark } = await import('../../../profiles/index.ts')
  const remark = namespaceRemark(profile)
  if (remark) warn(cli.io, remark)
  const saved = await readSaved(options)
  return interruptible(async (signal) => {
    const startedAt = context.now()
    const written = await scan(cli, { options, profile, keepIn, signal })
    const finishedAt = context.now()
    const { report } = written
    const file = keepIn ? written.file : null
    if (!options.upload) return { file, report, inventory: 'none', outcome: undefined }
    const ci = findPipeline(context.env)
    const { from, artifacts } = await inventoryOf(cli, { saved, options, written, signal })
    const body = { ...envelopeOf(profile, options), ...(ci && { ci }), ...(artifacts && { artifacts }) }
    const run = { started_at: formatTimestamp(startedAt), finished_at: formatTimestamp(finishedAt) }
    const outcome = await storeOrKeep(cli, { body: { ...body, run }, report }, options)
    return { file, report, inventory: from, outcome }
  })
}

interface Scan {
  options: ScanOptions
  profile: Profile
  keepIn: string | undefined
  signal: AbortSignal
}

async function scan({ context, io }: Cli, { options, profile, keepIn, signal }: Scan): Promise<WrittenReport> {
  const { chooseRunner } = await import('../../../scan/runner.ts')
  const { runScanner } = await import('../../../scan/run-scanner.ts')
  const { env } = context
  const runner = await chooseRunner(env, { wanted: options.runner, profile })
  const cluster = profile.cluster_name ? `${plain(profile.cluster_name)} ` : ''
  const live = showLive(io, `Scanning ${cluster}by ${runner.name}`)
  try {
    const { timeout: timeoutMs = defaultTimeoutMs, tag } = options
    return await runScanner({ profile, runner, env, signal, timeoutMs, keepIn, tag, onLine: live.line })
  } finally {
    live.end()
  }
}

async function storedProfile(cli: Cli, idOrName: string, options: AccessOptions): Promise<Profile> {
  const profile = asProfile(await readProfile(cli, idOrName))
  const { requireAccess } = await import('./require-access.ts')
  await requireAccess(cli, profile, options)
  return profile
}

/** Without a profile the options are one. */
function profileOf({ cluster = '', excludeNamespaces = [] }: ScanOptions): Profile {
  const output =
    excludeNamespaces.length > 0 ? { excludeNamespaces: true, additionalExcludedNamespaces: excludeNamespaces } : {}
  return { name: '', cluster_name: cluster, provider: 'kubernetes', settings: { output } }
}

function envelopeOf({ cluster_name, provider, settings }: Profile, options: ScanOptions): ReportEnvelope {
  const { eks, gke, radar } = settings
  const region = provider === 'eks' ? eks?.region : provider === 'gke' ? gke?.location : undefined
  return {
    source: 'relt',
    environment: options.environment ?? radar?.environment,
    cluster: { name: options.cluster ?? cluster_name, provider: options.profile ? provider : undefined, region },
    ...(options.allowEmpty && { allow_empty: true }),
  }
}

/** Before the scan: a wrong file is not to cost half an hour. */
async function readSaved({ inventory }: ScanOptions): Promise<Inventory | undefined> {
  if (typeof inventory !== 'string') return undefined
  return (await import('../../../scan/read-inventory.ts')).readInventoryFile(inventory)
}

function leaveOut({ images, helmCharts, apps }: Inventory, namespaces: string[]): Inventory {
  const isIn = (row: { namespace?: string | null | undefined }) => !namespaces.includes(row.namespace ?? '')
  return {
    images: images?.filter(isIn),
    helmCharts: helmCharts?.filter((chart) => isIn({ namespace: chart.releaseNamespace ?? chart.namespace })),
    apps: apps?.filter(isIn),
  }
}

function warn(io: Io, text: string): void {
  io.err(`${io.errColor.yellow('warning:')} ${plain(text)}\n`)
}

interface Inventorying {
  saved: Inventory | undefined
  options: ScanOptions
  written: WrittenReport
  signal: AbortSignal
}

/** A scan is worth storing without an inventory: what goes wrong with it is a warning. */
async function inventoryOf(
  { context, io }: Cli,
  { saved, options, written, signal }: Inventorying,
): Promise<{ from: Scanned['inventory']; artifacts?: Inventory }> {
  if (written.hasImages) return { from: 'report' }
  if (options.inventory === false) return { from: 'none' }
  const { excludedNamespaces } = written
  if (saved) return { from: 'file', artifacts: leaveOut(saved, excludedNamespaces) }
  const { takeInventory } = await import('../../../scan/take-inventory.ts')
  try {
    const { inventory, warnings } = await withProgress(io, 'Asking the cluster what runs there', () =>
      takeInventory({ env: context.env, signal, excludedNamespaces }),
    )
    for (const warning of warnings) warn(io, warning)
    return { from: 'cluster', artifacts: inventory }
  } catch (error) {
    if (!(error instanceof ReltError) || error.code === 'cancelled') throw error
    warn(io, `Stored without an inventory: ${error.message} ${error.hint ?? ''}`)
    return { from: 'none' }
  }
}

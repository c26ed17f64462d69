import { type Command, Option } from 'commander'
import type { Client } from '../../../client/client.ts'
import type { Context } from '../../../context.ts'
import { reportFormats } from '../../../contract/choices.ts'
import type { ReportFormat } from '../../../contract/cluster-report.ts'
import { ReltError } from '../../../errors.ts'
import { findPipeline } from '../../input/pipeline.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { withProgress } from '../../output/progress.ts'
import { say } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import type { judgeRun } from '../gate/gather.ts'
import { addGateOptions, type GateOptions, loadPolicy, wantsGate } from '../gate/options.ts'
import { type Outcome, storeOrKeep } from '../spool/store-or-keep.ts'
import type { ClusterOptions } from './cluster.ts'
import { findStoredRun } from './find-stored.ts'
import { compareWithPrevious } from './previous.ts'
import { nameOf, readReportFile } from './read-report-file.ts'
import { renderRun } from './run-view.ts'

export interface UploadOptions extends ClusterOptions {
  provider?: string
  region?: string
  startedAt?: string
  finishedAt?: string
  format?: ReportFormat | 'auto'
  offlineOk?: boolean
  allowEmpty?: boolean
}

export interface UploadAndShowOptions extends UploadOptions, GateOptions {
  compare?: boolean
  gate?: boolean
}

/** Bytes from which on storing takes long enough to say so. */
const largeReport = 8_000_000

export function createCommand(context: Context, run = runUpload): Command {
  const command = newCommand('upload', 'Store the report of a scan, and compare it with the one before', [
    'relt reports upload kubebuddy-report-20260601-101500.json',
    'relt reports upload report.json --cluster prod-eu --environment prod --compare',
    'relt reports upload report.json --gate --fail-on "new>=high"',
    'trivy k8s --report all --format json | relt reports upload - --cluster prod-eu',
    'relt reports upload report.json --offline-ok',
    'kubectl exec scanner -- cat /app/Reports/latest.json | relt reports upload -',
  ])
    .argument('<file>', 'JSON report of a scanner, plain or gzip; - for standard input')
    .option('--compare', 'show what changed since the run before')
    .option('--gate', 'decide by the rules whether it passes; exit code 5 when it fails, 6 when undecided')
  return addGateOptions(addUploadOptions(command)).action((file, options, command) =>
    run(cliOf(context, command), file, options),
  )
}

/** What is said of a report beside its file. */
export function addUploadOptions(command: Command): Command {
  return command
    .option('-c, --cluster <name>', 'name of the cluster (default: the one in the report)')
    .option('-e, --environment <name>', 'environment of the cluster (default: prod)')
    .option('--provider <name>', 'cloud provider, such as aks, eks, gke')
    .option('--region <name>', 'region of the cluster')
    .option('--started-at <time>', 'when the scan began: YYYY-MM-DD HH:MM:SS (UTC) or ISO 8601')
    .option('--finished-at <time>', 'when the scan ended (default: the time in the report)')
    .addOption(
      new Option('--format <name>', 'whose report it is (default: auto, by its shape)').choices([
        'auto',
        ...reportFormats,
      ]),
    )
    .addOption(allowEmptyOption())
    .addOption(offlineOkOption())
}

export function allowEmptyOption(): Option {
  return new Option('--allow-empty', 'store a report that has no checks and no results')
}

export function offlineOkOption(): Option {
  return new Option('--offline-ok', 'when the server cannot be reached, keep the upload and end well; see relt spool')
}

export async function runUpload(cli: Cli, file: string, options: UploadAndShowOptions): Promise<void> {
  const { context } = cli
  const policy = wantsGate(options) ? await loadPolicy(options) : undefined
  const { outcome, report, client } = await storeReport(cli, file, options)
  if (outcome.kept) {
    const { showKept } = await import('../spool/show-kept.ts')
    return showKept(cli, outcome.kept, { report, compare: options.compare, policy })
  }
  const { uploaded } = outcome
  const { run_id } = uploaded
  const comparison = options.compare ? await compareWithPrevious(client, run_id) : undefined
  const gate = policy && (await judge(client, policy, { run_id, now: context.now(), report }))
  say(cli, uploaded.duplicate ? 'Already there, nothing stored twice' : 'Stored')
  const text = async (io: Io) => {
    const run = await findStoredRun(client, run_id)
    const parts = [`${run_id}\n${run ? renderRun(io, run) : ''}`]
    if (comparison) parts.push((await import('./compare-view.ts')).renderComparison(io, comparison))
    if (gate) parts.push((await import('../gate/view.ts')).renderGate(io, gate))
    return parts.join('\n')
  }
  await show(cli, {
    body: { ...uploaded, ...(options.compare && { comparison: comparison ?? null }), ...(gate && { gate }) },
    text,
    ...(options.compare && !comparison && { note: 'The cluster has no earlier run to compare with yet.' }),
  })
  if (gate) (await import('../gate/verdict.ts')).requirePassed(gate)
}

async function judge(...run: Parameters<typeof judgeRun>) {
  const { judgeRun } = await import('../gate/gather.ts')
  return (await judgeRun(...run)).result
}

/** Reads the report and stores it, with the pipeline it comes from; with `--offline-ok` it may be kept instead. */
export async function storeReport(
  cli: Cli,
  file: string,
  options: UploadOptions,
): Promise<{ outcome: Outcome; report: Uint8Array; client: Client }> {
  const { context, io } = cli
  const { report, envelope } = await withProgress(io, `Reading ${file}`, () => readReportFile(context, file))
  const client = await context.client()
  const ci = envelope.ci ?? findPipeline(context.env)
  const body = { ...withOptions(envelope, options), ...(ci && { ci }) }
  const { offlineOk = false } = options
  const storing = storeOrKeep(cli, { body, report }, { offlineOk, atOnce: report.length > largeReport })
  const outcome = await naming(file, storing)
  return { outcome, report, client }
}

function withOptions(envelope: Awaited<ReturnType<typeof readReportFile>>['envelope'], options: UploadOptions) {
  const { cluster, provider, region, environment, startedAt, finishedAt, format, allowEmpty } = options
  return {
    source: 'relt',
    ...envelope,
    ...(environment && { environment }),
    ...(format && { format }),
    ...(allowEmpty && { allow_empty: true }),
    cluster: {
      ...envelope.cluster,
      ...(cluster && { name: cluster }),
      ...(provider && { provider }),
      ...(region && { region }),
    },
    run: {
      ...envelope.run,
      ...(startedAt && { started_at: startedAt }),
      ...(finishedAt && { finished_at: finishedAt }),
    },
  }
}

/** The service knows no file names; whoever uploads many wants to know which one it was. */
async function naming<T>(file: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ReltError) || !isAboutTheReport(error)) throw error
    const { code, message, hint, params } = error
    throw new ReltError(code, `${nameOf(file)}: ${message}`, {
      ...(hint && { hint }),
      ...(params && { params }),
      cause: error,
    })
  }
}

function isAboutTheReport({ code, params }: ReltError): boolean {
  const names = Object.keys(params ?? {})
  return code === 'invalid_json' || code === 'missing_param' || names.some((name) => name.split('.')[0] === 'report')
}

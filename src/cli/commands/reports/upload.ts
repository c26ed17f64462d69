import { type Command, Option } from 'commander'
import type { Context } from '../../../context.ts'
import { reportFormats } from '../../../contract/choices.ts'
import type { ReportFormat } from '../../../contract/scan-finding.ts'
import { ReltError } from '../../../errors.ts'
import type { SubmitContext } from '../../../submit/context.ts'
import { nameOf, readReportFile } from '../../../submit/read-report-file.ts'
import type { SubmitOutcome } from '../../../submit/submission.ts'
import { findPipeline } from '../../input/pipeline.ts'
import { withProgress } from '../../output/progress.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { openSubmitContext } from '../../program/submit-context.ts'
import { addGateOptions, type GateOptions, loadPolicy, wantsGate } from '../gate/options.ts'
import { submitAndFlush } from '../spool/submit-and-flush.ts'
import type { ClusterOptions } from './cluster.ts'
import { membersOf, printSubmitted, showOutcome } from './show-outcome.ts'

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

export function createCommand(context: Context, run = runUpload): Command {
  const command = newCommand('upload', 'Upload scan reports', [
    'relt reports upload kubebuddy-report-20260601-101500.json',
    'relt reports upload report.json --cluster prod-eu --environment prod --compare',
    'relt reports upload report.json --gate --fail-on "new>=high"',
    'trivy k8s --report all --format json | relt reports upload - --cluster prod-eu',
    'relt reports upload report.json --offline-ok',
    'relt reports upload 2025/*.json --cluster prod-eu',
    'kubectl exec scanner -- cat /app/Reports/latest.json | relt reports upload -',
  ])
    .argument('<file...>', 'JSON reports of scanners, plain or gzipped; - for standard input')
    .option('--compare', 'compare with the previous run')
    .option('--gate', 'check the gate; exit code 5 if it fails, 6 if undecided')
  return addGateOptions(addUploadOptions(command)).action(async (files: string[], options, command) => {
    const cli = cliOf(context, command)
    if (files.length === 1) return run(cli, files[0]!, options)
    return (await import('./upload-many.ts')).runUploadMany(cli, files, options)
  })
}

/** Options that describe a report. */
export function addUploadOptions(command: Command): Command {
  return command
    .option('-c, --cluster <name>', 'name of the cluster (default: from the report)')
    .option('-e, --environment <name>', 'environment of the cluster (default: prod)')
    .option('--provider <name>', 'cloud provider, such as aks, eks, gke')
    .option('--region <name>', 'region of the cluster')
    .option('--started-at <time>', 'start of the scan: YYYY-MM-DD HH:MM:SS (UTC) or ISO 8601')
    .option('--finished-at <time>', 'end of the scan (default: from the report)')
    .addOption(
      new Option('--format <name>', 'report format (default: auto-detected)').choices(['auto', ...reportFormats]),
    )
    .addOption(allowEmptyOption())
    .addOption(offlineOkOption())
}

export function allowEmptyOption(): Option {
  return new Option('--allow-empty', 'accept a report that has neither checks nor results')
}

export function offlineOkOption(): Option {
  return new Option(
    '--offline-ok',
    'if the server is unreachable, queue the upload instead of failing (see `relt spool`)',
  )
}

export async function runUpload(cli: Cli, file: string, options: UploadAndShowOptions): Promise<void> {
  const { compare } = options
  const policy = wantsGate(options) ? await loadPolicy(options) : undefined
  const { submitted, outcome, report } = await submitFile(cli, file, options)
  printSubmitted(cli, outcome, 'Stored')
  const { review } = await import('../../../submit/review.ts')
  const reviewed = await review(submitted, outcome, { report, compare, policy, run: cli.format === 'table' })
  await showOutcome(cli, { outcome, review: reviewed, compare, members: membersOf(reviewed, compare) })
  if (reviewed.gate) (await import('../gate/verdict.ts')).requirePassed(reviewed.gate.result)
}

/** Reads the report and submits it, with the pipeline that it comes from. */
export async function submitFile(
  cli: Cli,
  file: string,
  options: UploadOptions,
): Promise<{ submitted: SubmitContext; outcome: SubmitOutcome; report: Uint8Array }> {
  const { context, io } = cli
  const { report, envelope } = await withProgress(io, `Reading ${file}`, () => readReportFile(context, file))
  const submitted = await openSubmitContext(cli)
  const ci = envelope.ci ?? findPipeline(context.env)
  const body = { ...withOptions(envelope, options), ...(ci && { ci }) }
  const outcome = await naming(file, submitAndFlush(cli, submitted, { body, report }, options))
  return { submitted, outcome, report }
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

/** Adds the file name, which the service does not know, to the error. */
async function naming<T>(file: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ReltError) || !isAboutTheReport(error)) throw error
    const { code, message, params } = error
    const hint = params?.['cluster.name'] && code === 'missing_param' ? 'Add --cluster NAME.' : error.hint
    const what = params ? `${nameOf(file)} cannot be stored as a report.` : `${nameOf(file)}: ${message}`
    throw new ReltError(code, what, {
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

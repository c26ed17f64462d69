import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { ReportFormat, type UploadResult } from '../../contract/cluster-report.ts'
import { ReltError } from '../../errors.ts'
import { type Cli, cliOf, newCommand } from '../command.ts'
import type { Io } from '../io.ts'
import { show } from '../output.ts'
import { withProgress } from '../progress.ts'
import { say } from '../say.ts'
import type { ClusterOptions } from './cluster.ts'
import { nameOf, readReportFile } from './read-report-file.ts'
import { renderRun } from './run-view.ts'

export interface UploadOptions extends ClusterOptions {
  provider?: string
  region?: string
  startedAt?: string
  finishedAt?: string
  format?: ReportFormat | 'auto'
  compare?: boolean
}

/** Bytes from which on storing takes long enough to say so. */
const largeReport = 8_000_000

export function createCommand(context: Context, run = runUpload): Command {
  return newCommand('upload', 'Store the report of a scan, and compare it with the one before', [
    'relt reports upload kubebuddy-report-20260601-101500.json',
    'relt reports upload report.json --cluster prod-eu --environment prod --compare',
    'trivy k8s --report all --format json | relt reports upload - --cluster prod-eu',
    'kubectl exec scanner -- cat /app/Reports/latest.json | relt reports upload -',
  ])
    .argument('<file>', 'JSON report of a scanner, plain or gzip; - for standard input')
    .option('-c, --cluster <name>', 'name of the cluster (default: the one in the report)')
    .option('-e, --environment <name>', 'environment of the cluster (default: prod)')
    .option('--provider <name>', 'cloud provider, such as aks, eks, gke')
    .option('--region <name>', 'region of the cluster')
    .option('--started-at <time>', 'when the scan began: YYYY-MM-DD HH:MM:SS (UTC) or ISO 8601')
    .option('--finished-at <time>', 'when the scan ended (default: the time in the report)')
    .addOption(
      new Option('--format <name>', 'whose report it is (default: auto, by its shape)').choices([
        'auto',
        ...ReportFormat.options,
      ]),
    )
    .option('--compare', 'show what changed since the run before')
    .action((file, options, command) => run(cliOf(context, command), file, options))
}

export async function runUpload(cli: Cli, file: string, options: UploadOptions): Promise<void> {
  const { context, io } = cli
  const { report, envelope } = await withProgress(io, `Reading ${file}`, () => readReportFile(context, file))
  const client = await context.client()
  const uploaded = await withProgress(
    io,
    'Storing the report',
    () => naming(file, client.call('uploadReport', { body: withOptions(envelope, options), report })),
    { atOnce: report.length > largeReport },
  )
  const comparison = options.compare ? await compareWithPrevious(client, uploaded) : undefined
  say(cli, uploaded.duplicate ? 'Already there, nothing stored twice' : 'Stored')
  const text = async (io: Io) => {
    const run = await client.call('getReport', { params: { run_id: uploaded.run_id } })
    const stored = `${uploaded.run_id}\n${renderRun(io, run)}`
    if (!comparison) return stored
    const { renderComparison } = await import('./compare-view.ts')
    return `${stored}\n${renderComparison(io, comparison)}`
  }
  await show(cli, {
    body: options.compare ? { ...uploaded, comparison: comparison ?? null } : uploaded,
    text,
    ...(options.compare && !comparison && { note: 'The cluster has no earlier run to compare with yet.' }),
  })
}

function withOptions(envelope: Awaited<ReturnType<typeof readReportFile>>['envelope'], options: UploadOptions) {
  const { cluster, provider, region, environment, startedAt, finishedAt, format } = options
  return {
    source: 'relt',
    ...envelope,
    ...(environment && { environment }),
    ...(format && { format }),
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

/** Undefined at the first run of a cluster. */
async function compareWithPrevious(client: Awaited<ReturnType<Context['client']>>, { run_id }: UploadResult) {
  try {
    return await client.call('compareReports', { query: { to_run_id: run_id } })
  } catch (error) {
    if (error instanceof ReltError && error.code === 'not_found') return undefined
    throw error
  }
}

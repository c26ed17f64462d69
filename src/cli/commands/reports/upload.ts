import { lookedAtParts, reportFormats } from '../../../contract/choices.ts'
import { ReltError } from '../../../errors.ts'
import type { Policy } from '../../../gate/policy.ts'
import type { SubmitContext } from '../../../submit/context.ts'
import { namedError } from '../../../submit/name-file.ts'
import { readReportFile, toName } from '../../../submit/read-report-file.ts'
import type { SubmitOutcome } from '../../../submit/submission.ts'
import { submit } from '../../../submit/submit.ts'
import { defined } from '../../../util/defined.ts'
import { findPipeline } from '../../input/pipeline.ts'
import { withProgress } from '../../output/progress.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'
import { openSubmitContext } from '../../program/submit-context.ts'
import { verb } from '../../program/verb.ts'
import { gateOptions, loadPolicy, wantsGate } from '../gate/options.ts'
import { reviewAndShow } from './show-outcome.ts'

export const offlineOkOption = {
  '--offline-ok': 'if the server is unreachable, queue the upload instead of failing (see `relt spool`)',
} as const

/** Options that describe a report. */
export const uploadOptions = {
  '-c, --cluster <name>': 'name of the cluster (default: from the report)',
  '-e, --environment <name>': 'environment of the cluster (default: prod)',
  '--provider <name>': 'cloud provider, such as aks, eks, gke',
  '--region <name>': 'region of the cluster',
  '--started-at <time>': 'start of the scan: YYYY-MM-DD HH:MM:SS (UTC) or ISO 8601',
  '--finished-at <time>': 'end of the scan (default: from the report)',
  '--format <name>': { help: 'report format (default: auto-detected)', choices: reportFormats },
  '--subject <name>': 'what the report is about, where it names that by accident, such as the folder .',
  '--looked-at <parts>': {
    help: 'parts that the scan looked at, since Trivy leaves out those without a result',
    several: lookedAtParts,
  },
  '--as-is': 'store a report that is empty or that relt does not understand',
  ...offlineOkOption,
} as const

export type UploadOptions = OptionsOf<typeof uploadOptions>

const options = {
  '--compare': 'compare with the previous run',
  '--gate': 'check the gate; exit code 5 if it fails, 6 if undecided',
  ...uploadOptions,
  ...gateOptions,
} as const

export type UploadAndShowOptions = OptionsOf<typeof options>

export default verb({
  name: 'upload',
  summary: 'Upload scan reports',
  examples: [
    'relt reports upload kubebuddy-report-20260601-101500.json',
    'relt reports upload report.json --cluster prod-eu --environment prod --compare',
    'relt reports upload report.json --gate --fail-on "new>=high"',
    'trivy k8s --report all --format json | relt reports upload - --cluster prod-eu',
    'relt reports upload trivy.json --cluster prod-eu --subject shop/web --looked-at vuln,secret',
    'relt reports upload report.json --offline-ok',
    'relt reports upload 2025/*.json --cluster prod-eu',
    'kubectl exec scanner -- cat /app/Reports/latest.json | relt reports upload -',
  ],
  args: [['<file...>', 'JSON reports of scanners, plain or gzipped; - for standard input']],
  options,
  run: async (cli, files, options) => {
    if (files.length === 1) return runUpload(cli, files[0]!, options)
    return (await import('./upload-many.ts')).runUploadMany(cli, files, options)
  },
})

export async function runUpload(cli: Cli, file: string, options: UploadAndShowOptions) {
  const { compare } = options
  const policy = wantsGate(options) ? await loadPolicy(options, cli.context) : undefined
  const { submitted, outcome, report } = await submitFile(cli, file, options, policy)
  await reviewAndShow(cli, submitted, { outcome, report, compare, policy, done: 'Stored' })
}

/** Reads the report and submits it with facts about its pipeline, and what its policy says about scans. */
export async function submitFile(cli: Cli, file: string, options: UploadOptions, policy?: Policy) {
  const { context, io } = cli
  const { report, envelope } = await withProgress(io, `Reading ${file}`, () => readReportFile(context, file))
  const submitted = await openSubmitContext(cli)
  const ci = envelope.ci ?? findPipeline(context.env)
  const { branch, lookedAt } = policy ?? {}
  const body = {
    ...withOptions(envelope, { ...defined({ lookedAt }), ...options }),
    ...(ci && { ci }),
    ...(branch && { state_branch: branch }),
  }
  const outcome = await naming(file, submit(submitted, { body, report }, options), options)
  await flushAfter(cli, outcome, submitted)
  return { submitted, outcome, report }
}

/** Sends queued uploads if the server accepted one. */
export async function flushAfter(cli: Cli, { uploaded }: SubmitOutcome, context: SubmitContext) {
  if (uploaded && context.server) await (await import('../spool/flush.ts')).flushSpool(cli, context)
}

function withOptions(envelope: Awaited<ReturnType<typeof readReportFile>>['envelope'], options: UploadOptions) {
  const { cluster, provider, region, environment, startedAt, finishedAt, format, subject, lookedAt } = options
  return {
    source: 'relt',
    ...envelope,
    ...(environment && { environment }),
    ...(format && { format }),
    ...(subject && { subject }),
    ...(lookedAt && { looked_at: lookedAt }),
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

/** Adds the file's name, and what to do, to an error of the work. */
async function naming<T>(file: string, work: Promise<T>, options: UploadOptions) {
  try {
    return await work
  } catch (error) {
    const named = error instanceof ReltError ? namedError(error, toName(file)) : undefined
    if (!named) throw error
    const { code, message, params, hint = hintFor(params, options) } = named
    throw new ReltError(code, message, { ...(hint && { hint }), ...(params && { params }), cause: error })
  }
}

function hintFor(params: ReltError['params'], { cluster, asIs }: UploadOptions) {
  if (params?.['cluster.name'] && !cluster) return 'Add --cluster NAME.'
  return params?.report && !asIs ? 'To store the file as it is, add --as-is.' : undefined
}

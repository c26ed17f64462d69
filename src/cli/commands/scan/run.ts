import { type Command, Option } from 'commander'
import type { Context } from '../../../context.ts'
import { ReltError } from '../../../errors.ts'
import type { Profile } from '../../../profiles/index.ts'
import { type RunnerName, runnerNames } from '../../../scan/runner-name.ts'
import { findProfile } from '../../../submit/find-profile.ts'
import type { AccessOptions } from '../../../submit/require-access.ts'
import type { SubmitScanOptions } from '../../../submit/scan-and-submit.ts'
import { interruptible } from '../../../util/interrupt.ts'
import { findPipeline } from '../../input/pipeline.ts'
import { show } from '../../output/output.ts'
import { say } from '../../output/say.ts'
import { showSteps } from '../../output/steps.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { localSubmitContext, openSubmitContext } from '../../program/submit-context.ts'
import { addGateOptions, type GateOptions, loadPolicy, wantsGate } from '../gate/options.ts'
import { htmlOption } from '../gate/outputs.ts'
import { membersOf, printSubmitted, showOutcome } from '../reports/show-outcome.ts'
import { allowEmptyOption, offlineOkOption } from '../reports/upload.ts'
import { confirmAccess } from './confirm-access.ts'
import { collect, duration, names } from './options.ts'

export interface ScanRunOptions extends GateOptions, AccessOptions {
  profile?: string
  runner?: RunnerName
  tag?: string
  timeout?: number
  out?: string
  cluster?: string
  environment?: string
  excludeNamespaces?: string[]
  /** A file, or false for none. */
  inventory?: string | false
  upload: boolean
  compare?: boolean
  gate?: boolean
  offlineOk?: boolean
  allowEmpty?: boolean
  html?: string
}

export function createCommand(context: Context, run = runScan): Command {
  const command = newCommand('run', 'Scan a cluster and store the report and its inventory', [
    'relt scan run --profile prod --compare',
    'relt scan run --profile prod --gate --fail-on "new>=high"',
    'relt scan run --cluster prod-eu --exclude-namespaces monitoring',
    'relt scan run --profile prod --runner docker --tag v1.2.0 --timeout 1h',
    'relt scan run --profile prod --allow-env PROM_TOKEN --allow-host prometheus.shop.example',
    'relt scan run --profile prod --no-upload --out reports',
  ])
    .option('--profile <name>', 'scan profile, by name or id (default: the options below)')
    .addOption(
      new Option('-r, --runner <name>', 'how to start the scanner (default: the first available)').choices(runnerNames),
    )
    .option('--tag <release>', 'scanner image tag (default: KUBEBUDDY_TAG)')
    .option('--timeout <time>', 'stop the scan after this time, such as 90s, 30m or 2h (default: 30m)', duration)
    .option('--out <folder>', "save the reports to this folder (default: the profile's folder, if any)")
    .option('-c, --cluster <name>', 'name of the cluster (default: from the profile or the report)')
    .option('-e, --environment <name>', 'environment of the cluster (default: from the profile, or prod)')
    .option(
      '--exclude-namespaces <names>',
      "namespaces to skip in addition to the scanner's own, without a profile",
      names,
    )
    .option('--inventory <file>', 'saved inventory to use instead of asking kubectl')
    .option('--no-inventory', 'do not collect an inventory')
    .option('--allow-env <name>', 'allow a profile of a server to use this environment variable (repeatable)', collect)
    .option('--allow-host <host>', 'allow a profile of a server to contact this host (repeatable)', collect)
    .option('--no-upload', 'only scan; save the reports with --out')
    .option('--compare', 'compare with the previous run')
    .option('--gate', 'check the gate; exit code 5 if it fails, 6 if undecided')
    .addOption(allowEmptyOption())
    .addOption(offlineOkOption())
    .addOption(htmlOption())
  return addGateOptions(command).action((options, command) => run(cliOf(context, command), options))
}

export async function runScan(cli: Cli, options: ScanRunOptions): Promise<void> {
  const { compare } = options
  const policy = wantsGate(options) ? await loadPolicy(options) : undefined
  const wanted = await readWanted(cli, options)
  if (!options.upload) return scanOnly(cli, wanted)
  const { scanAndSubmit } = await import('../../../submit/scan-and-submit.ts')
  const { onProgress, onOutput } = showSteps(cli.io)
  const context = { ...(await openSubmitContext(cli)), onProgress }
  const { scan, inventory, outcome } = await interruptible((signal) =>
    scanAndSubmit(context, { ...wanted, signal, onOutput }),
  )
  if (outcome.uploaded && context.server) await (await import('../spool/flush.ts')).flushSpool(cli, context)
  printSubmitted(cli, outcome, 'Scanned and stored')
  const { review } = await import('../../../submit/review.ts')
  const reviewed = await review(context, outcome, { report: scan.report, compare, policy, run: true })
  await showOutcome(cli, {
    outcome,
    review: reviewed,
    compare,
    members: {
      ...(outcome.uploaded && { run: reviewed.run ?? null }),
      inventory,
      file: wanted.keepIn ? scan.file : null,
      ...membersOf(reviewed, compare),
    },
  })
  if (options.html) {
    const { writeSubmitted } = await import('../reports/write-submitted.ts')
    await writeSubmitted(cli.context, options.html, { outcome, report: scan.report, judgement: reviewed.gate })
  }
  if (reviewed.gate) (await import('../gate/verdict.ts')).requirePassed(reviewed.gate.result)
}

async function scanOnly(cli: Cli, wanted: Wanted): Promise<void> {
  const { scan } = await import('../../../submit/scan-and-submit.ts')
  const { onProgress, onOutput } = showSteps(cli.io)
  const context = { ...localSubmitContext(cli), onProgress }
  const { file } = await interruptible((signal) => scan(context, { ...wanted, signal, onOutput }))
  say(cli, 'Scanned')
  await show(cli, { body: { file }, text: () => `${file}\n` })
}

type Wanted = Omit<SubmitScanOptions, 'signal' | 'onOutput'>

/** Checks the options and the profile before the scan, so that a wrong file does not cost half an hour. */
async function readWanted(cli: Cli, options: ScanRunOptions): Promise<Wanted> {
  const { runner, tag, timeout: timeoutMs, offlineOk = false, allowEmpty, upload } = options
  const profile = options.profile ? await readStoredProfile(cli, options.profile, options) : profileOf(options)
  const keepIn = options.out ?? profile.settings.output?.outputPath
  if (!upload && options.html) {
    throw new ReltError('usage', '--html needs the stored run.', { hint: 'Remove --no-upload.' })
  }
  if (!upload && !keepIn) {
    throw new ReltError('usage', '--no-upload without --out would discard the scan.', { hint: 'Add --out FOLDER.' })
  }
  const { profileEnvelope } = await import('../../../submit/profile-envelope.ts')
  const { environment, cluster } = options.profile ? profileEnvelope(profile) : {}
  const name = options.cluster ?? profile.cluster_name
  const ci = findPipeline(cli.context.env)
  const envelope = {
    environment: options.environment ?? environment,
    cluster: { ...cluster, name },
    ...(allowEmpty && { allow_empty: true }),
    ...(ci && { ci }),
  }
  const inventory = await readInventory(options)
  return { profile, runner, tag, timeoutMs, keepIn, envelope, inventory, offlineOk }
}

async function readStoredProfile(cli: Cli, idOrName: string, options: AccessOptions): Promise<Profile> {
  const { context, io } = cli
  const profile = await findProfile(await context.client(), idOrName)
  const { requireAccess } = await import('../../../submit/require-access.ts')
  await requireAccess({ server: await context.server(), env: context.env }, profile, options, confirmAccess(io))
  return profile
}

/** Without a stored profile the options are one. */
function profileOf({ cluster = '', excludeNamespaces = [] }: ScanRunOptions): Profile {
  const output =
    excludeNamespaces.length > 0 ? { excludeNamespaces: true, additionalExcludedNamespaces: excludeNamespaces } : {}
  return { name: '', cluster_name: cluster, provider: 'kubernetes', settings: { output } }
}

async function readInventory({ inventory }: ScanRunOptions): Promise<SubmitScanOptions['inventory']> {
  if (inventory === undefined) return 'cluster'
  if (inventory === false) return 'none'
  return (await import('../../../scan/read-inventory.ts')).readInventoryFile(inventory)
}

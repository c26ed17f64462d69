import { type Command, Option } from 'commander'
import type { Context } from '../../../context.ts'
import { type RunnerName, runnerNames } from '../../../scan/runner-name.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { say } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import type { judgeRun } from '../gate/gather.ts'
import { addGateOptions, type GateOptions, loadPolicy, wantsGate } from '../gate/options.ts'
import { findStoredRun } from '../reports/find-stored.ts'
import { compareWithPrevious } from '../reports/previous.ts'
import { renderRun } from '../reports/run-view.ts'
import { allowEmptyOption, offlineOkOption } from '../reports/upload.ts'
import { collect, duration, names } from './options.ts'
import type { AccessOptions } from './require-access.ts'
import { scanCluster } from './scan-cluster.ts'

export interface ScanOptions extends GateOptions, AccessOptions {
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
}

export function createCommand(context: Context, run = runScan): Command {
  const command = newCommand('run', 'Scan a cluster, store the report with all that runs there, and compare it', [
    'relt scan run --profile prod --compare',
    'relt scan run --profile prod --gate --fail-on "new>=high"',
    'relt scan run --cluster prod-eu --exclude-namespaces monitoring',
    'relt scan run --profile prod --runner docker --tag v1.2.0 --timeout 1h',
    'relt scan run --profile prod --allow-env PROM_TOKEN --allow-host prometheus.shop.example',
    'relt scan run --profile prod --no-upload --out reports',
  ])
    .option('-p, --profile <name>', 'scan profile, by name or id (default: the options below)')
    .addOption(
      new Option('-r, --runner <name>', 'how to start the scanner (default: the first there is)').choices(runnerNames),
    )
    .option('--tag <release>', 'release of the scanner that runs as a container (default: KUBEBUDDY_TAG)')
    .option('--timeout <time>', 'end a scan that takes longer, such as 90s, 30m, 2h (default: 30m)', duration)
    .option('--out <folder>', "keep the reports there (default: the profile's folder, or not at all)")
    .option('-c, --cluster <name>', "name of the cluster (default: the profile's, or the one in the report)")
    .option('-e, --environment <name>', "environment of the cluster (default: the profile's, or prod)")
    .option(
      '--exclude-namespaces <names>',
      "without a profile: namespaces to leave out beside the scanner's own",
      names,
    )
    .option('--inventory <file>', 'what runs in the cluster, saved before (default: kubectl is asked)')
    .option('--no-inventory', 'do not ask what runs in the cluster')
    .option('--allow-env <name>', 'allow a profile of a server to use this environment variable (repeatable)', collect)
    .option('--allow-host <host>', 'allow a profile of a server to contact this host (repeatable)', collect)
    .option('--no-upload', 'only scan, and keep the reports with --out')
    .option('--compare', 'show what changed since the run before')
    .option('--gate', 'decide by the rules whether it passes; exit code 5 when it fails, 6 when undecided')
    .addOption(allowEmptyOption())
    .addOption(offlineOkOption())
  return addGateOptions(command).action((options, command) => run(cliOf(context, command), options))
}

export async function runScan(cli: Cli, options: ScanOptions): Promise<void> {
  const policy = wantsGate(options) ? await loadPolicy(options) : undefined
  const { file, report, inventory, outcome } = await scanCluster(cli, options)
  if (!outcome) {
    say(cli, 'Scanned')
    return show(cli, { body: { file }, text: () => `${file}\n` })
  }
  if (outcome.kept) {
    const { showKept } = await import('../spool/show-kept.ts')
    return showKept(cli, outcome.kept, { report, compare: options.compare, policy, more: { inventory, file } })
  }
  const { uploaded } = outcome
  const { run_id } = uploaded
  const client = await cli.context.client()
  const run = await findStoredRun(client, run_id)
  const comparison = options.compare ? await compareWithPrevious(client, run_id) : undefined
  const gate = policy && (await judge(client, policy, { run_id, now: cli.context.now(), report }))
  say(cli, uploaded.duplicate ? 'Already there, nothing stored twice' : 'Scanned and stored')
  const text = async (io: Io) => {
    const parts = [`${run_id}\n${run ? renderRun(io, run) : ''}`]
    if (comparison) parts.push((await import('../reports/compare-view.ts')).renderComparison(io, comparison))
    if (gate) parts.push((await import('../gate/view.ts')).renderGate(io, gate))
    return parts.join('\n')
  }
  await show(cli, {
    body: {
      ...uploaded,
      run: run ?? null,
      inventory,
      file,
      ...(options.compare && { comparison: comparison ?? null }),
      ...(gate && { gate }),
    },
    text,
    ...(options.compare && !comparison && { note: 'The cluster has no earlier run to compare with yet.' }),
  })
  if (gate) (await import('../gate/verdict.ts')).requirePassed(gate)
}

async function judge(...run: Parameters<typeof judgeRun>) {
  const { judgeRun } = await import('../gate/gather.ts')
  return (await judgeRun(...run)).result
}

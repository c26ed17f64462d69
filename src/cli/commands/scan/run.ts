import { ReltError } from '../../../errors.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { runnerNames } from '../../../scan/runner-name.ts'
import { findProfile } from '../../../submit/find-profile.ts'
import { folderFor } from '../../../submit/report-options.ts'
import type { AccessOptions, ConfirmAccess } from '../../../submit/require-access.ts'
import type { ScanOptions } from '../../../submit/scan-and-submit.ts'
import { interruptible } from '../../../util/interrupt.ts'
import { findPipeline } from '../../input/pipeline.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { say } from '../../output/say.ts'
import { showSteps } from '../../output/steps.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'
import { localSubmitContext, openSubmitContext } from '../../program/submit-context.ts'
import { verb } from '../../program/verb.ts'
import { gateOptions, loadPolicy, wantsGate } from '../gate/options.ts'
import { htmlOption } from '../gate/outputs.ts'
import { reviewAndShow } from '../reports/show-outcome.ts'
import { flushAfter, offlineOkOption } from '../reports/upload.ts'
import { clusterOptions, collect, duration, names } from './options.ts'

const options = {
  '--profile <name>': 'scan profile, by name or id (default: the options below)',
  '-r, --runner <name>': { help: 'how to start the scanner (default: the first available)', choices: runnerNames },
  '--tag <release>': 'scanner image tag (default: KUBEBUDDY_TAG)',
  '--timeout <time>': { help: 'stop the scan after this time, such as 90s, 30m or 2h (default: 30m)', parse: duration },
  '--out <folder>': "save the reports to this folder (default: the profile's folder, if any)",
  ...clusterOptions,
  '--context <name>': "context of a kubeconfig (default: the profile's, or the current one)",
  '-c, --cluster <name>': 'name of the cluster (default: from the profile, the context or the report)',
  '-e, --environment <name>': 'environment of the cluster (default: from the profile, or prod)',
  '--exclude-namespaces <names>': {
    help: "namespaces to skip in addition to the scanner's own, without a profile",
    parse: names,
  },
  '--no-inventory': 'do not collect an inventory',
  '--allow-env <name>': {
    help: 'allow a profile of a server to use this environment variable (repeatable)',
    parse: collect,
  },
  '--allow-host <host>': { help: 'allow a profile of a server to contact this host (repeatable)', parse: collect },
  '--allow-context <name>': {
    help: 'allow a profile of a server to use this context of a kubeconfig (repeatable)',
    parse: collect,
  },
  '--no-upload': 'only scan; save the reports with --out',
  '--compare': 'compare with the previous run',
  '--gate': 'check the gate; exit code 5 if it fails, 6 if undecided',
  ...offlineOkOption,
  ...htmlOption,
  ...gateOptions,
} as const

type ScanRunOptions = OptionsOf<typeof options>

export default verb({
  name: 'run',
  summary: 'Scan a cluster and store the report and its inventory',
  examples: [
    'relt scan run --profile prod --compare',
    'relt scan run --profile prod --gate --fail-on "new>=high"',
    'relt scan run --cluster prod-eu --exclude-namespaces monitoring',
    'relt scan run --context prod-eu --compare',
    'relt scan run --profile prod --runner docker --tag v1.2.0 --timeout 1h',
    'relt scan run --profile prod --allow-env PROM_TOKEN --allow-host prometheus.shop.example',
    'relt scan run --profile prod --no-upload --out reports',
  ],
  options,
  run: async (cli, options) => {
    const policy = wantsGate(options) ? await loadPolicy(options, cli.context) : undefined
    const wanted = await readWanted(cli, options)
    if (!options.upload) return scanOnly(cli, wanted)
    const { scanAndSubmit } = await import('../../../submit/scan-and-submit.ts')
    const { onProgress, onOutput } = showSteps(cli.io)
    const context = { ...(await openSubmitContext(cli)), onProgress }
    const { scan, inventory, outcome } = await interruptible((signal) =>
      scanAndSubmit(context, { ...wanted, signal, onOutput }),
    )
    await flushAfter(cli, outcome, context)
    const { compare, html } = options
    const facts = { inventory, file: folderFor(wanted) ? scan.file : null }
    const about = { outcome, report: scan.report, compare, policy, html }
    await reviewAndShow(cli, context, { ...about, done: 'Scanned and stored', facts })
  },
})

async function scanOnly(cli: Cli, wanted: Wanted) {
  const { scan } = await import('../../../submit/scan-and-submit.ts')
  const { onProgress, onOutput } = showSteps(cli.io)
  const context = { ...localSubmitContext(cli), onProgress }
  const { file } = await interruptible((signal) => scan(context, { ...wanted, signal, onOutput }))
  say(cli, 'Scanned')
  await show(cli, { body: { file }, text: () => `${file}\n` })
}

type Wanted = Omit<ScanOptions, 'signal' | 'onOutput'>

/** Validates the options and the profile before the scan, so that an invalid file does not cost half an hour. */
async function readWanted(cli: Cli, options: ScanRunOptions) {
  const { profile: name, timeout: timeoutMs, upload, html } = options
  const profile = name ? await readStoredProfile(cli, name, options) : undefined
  if (!upload && html) {
    throw new ReltError('usage', '--html needs the stored run.', { hint: 'Remove --no-upload.' })
  }
  if (!upload && !folderFor({ ...options, profile })) {
    throw new ReltError('usage', '--no-upload without --out would discard the scan.', { hint: 'Add --out FOLDER.' })
  }
  return { ...options, profile, timeoutMs, ci: findPipeline(cli.context.env) }
}

async function readStoredProfile(cli: Cli, idOrName: string, options: AccessOptions) {
  const { context, io } = cli
  const profile = await findProfile(await context.client(), idOrName)
  const { requireAccess } = await import('../../../submit/require-access.ts')
  await requireAccess({ server: await context.server(), env: context.env }, profile, options, confirmAccess(io))
  return profile
}

/** Asks on a terminal; undefined without one. */
function confirmAccess(io: Io): ConfirmAccess | undefined {
  if (!io.isInteractive) return undefined
  return async ({ name }, url, { env, hosts, contexts }) => {
    const lines = [
      `The profile ${name} of ${url} lets the scanner use:`,
      ...env.map((each) => `  the environment variable ${each}`),
      ...hosts.map((each) => `  the host ${each}`),
      ...contexts.map((each) => `  the Kubernetes context ${each}`),
    ]
    io.err(`${lines.map(plain).join('\n')}\n`)
    const { confirm } = await import('@inquirer/prompts')
    const message = 'Allow profiles of this server to use it from now on?'
    if (!(await confirm({ message, default: false }, io.questions))) throw new ReltError('cancelled', 'Cancelled.')
  }
}

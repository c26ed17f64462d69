import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { type RunnerName, runnerNames } from '../../scan/runner-name.ts'
import { type Cli, cliOf, newCommand } from '../command.ts'
import { plain } from '../io.ts'
import { show } from '../output.ts'
import { compareWithPrevious } from '../reports/previous.ts'
import { renderRun } from '../reports/run-view.ts'
import { duration, names } from './options.ts'
import { scanCluster } from './scan-cluster.ts'

export interface ScanOptions {
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
}

export function createCommand(context: Context, run = runScan): Command {
  return newCommand('run', 'Scan a cluster, store the report with all that runs there, and compare it', [
    'relt scan run --profile prod --compare',
    'relt scan run --cluster prod-eu --exclude-namespaces monitoring',
    'relt scan run --profile prod --runner docker --tag v1.2.0 --timeout 1h',
    'relt scan run --profile prod --no-upload --out reports',
  ])
    .option('-p, --profile <name>', 'scan profile, by name or id (default: the options below)')
    .addOption(
      new Option('-r, --runner <name>', 'how to start the scanner (default: the first there is)').choices(runnerNames),
    )
    .option('--tag <release>', 'release of the scanner that runs as a container (default: KUBEBUDDY_TAG)')
    .option('--timeout <time>', 'end a scan that takes longer, such as 90s, 30m, 2h (default: 30m)', duration)
    .option('-o, --out <folder>', 'keep the reports there')
    .option('-c, --cluster <name>', "name of the cluster (default: the profile's, or the one in the report)")
    .option('-e, --environment <name>', "environment of the cluster (default: the profile's, or prod)")
    .option('--exclude-namespaces <names>', "namespaces to leave out beside the scanner's own list", names)
    .option('--inventory <file>', 'what runs in the cluster, saved before (default: kubectl is asked)')
    .option('--no-inventory', 'do not ask what runs in the cluster')
    .option('--no-upload', 'only scan, and keep the reports with --out')
    .option('--compare', 'show what changed since the run before')
    .action(async (options, command) => {
      await run(cliOf(context, command), options)
    })
}

/** Gives the id of the stored run; undefined when nothing was to be stored. */
export async function runScan(cli: Cli, options: ScanOptions): Promise<string | undefined> {
  const scanned = await scanCluster(cli, options)
  if (!scanned.uploaded) {
    await show(cli, {
      body: { file: scanned.file },
      text: ({ color }) => `${color.green('✓')} Scanned: ${plain(`${scanned.file}`)}\n`,
    })
    return undefined
  }
  const { uploaded, inventory, file } = scanned
  const { run_id } = uploaded
  const client = await cli.context.client()
  const run = await client.call('getReport', { params: { run_id } })
  const comparison = options.compare ? await compareWithPrevious(client, run_id) : undefined
  await show(cli, {
    body: { ...uploaded, run, inventory, file, ...(options.compare && { comparison: comparison ?? null }) },
    text: async (io) => {
      const done = uploaded.duplicate ? 'Already there, nothing stored twice' : 'Scanned and stored'
      const head = `${io.color.green('✓')} ${done}: ${run_id}\n${renderRun(io, run)}`
      if (!options.compare) return head
      if (!comparison)
        return `${head}\n${io.color.dim(`${plain(run.cluster_name)} has no earlier run to compare with yet.\n`)}`
      const { renderComparison } = await import('../reports/compare-view.ts')
      return `${head}\n${renderComparison(io, comparison)}`
    },
  })
  return run_id
}

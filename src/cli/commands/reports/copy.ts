import { parseClusterName } from '../../../config/cluster-name.ts'
import { ownAccount } from '../../../contract/choices.ts'
import { ReltError } from '../../../errors.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { scannedAt } from '../../../reports/run-subject.ts'
import type { CopiedReport } from '../../../submit/copy-reports.ts'
import { interruptible } from '../../../util/interrupt.ts'
import { count } from '../../../util/words.ts'
import { titles } from '../../../views/titles.ts'
import { orUsage } from '../../input/or-usage.ts'
import { member, show } from '../../output/output.ts'
import { withProgressBar } from '../../output/progress-bar.ts'
import type { Cli } from '../../program/command.ts'
import { verb } from '../../program/verb.ts'
import { collect } from '../scan/options.ts'

export default verb({
  name: 'copy',
  summary: 'Copy reports to another server',
  examples: [
    'relt reports copy --to https://radar.example --dry-run',
    'relt reports copy --server old --to new',
    'relt reports copy --server https://old.example --to local --cluster prod-eu/prod',
  ],
  options: {
    '--to <server>': {
      help: 'target: a server by name or URL, or local for the store on this machine',
      required: true,
    },
    '--to-team <name>': 'team at the target (default: your own account there)',
    '-c, --cluster <name>': {
      help: 'copy only this cluster, such as prod-eu or prod-eu/prod (repeatable)',
      parse: collect,
    },
    '--data <folder>': 'data folder of the store to copy from',
    '--dry-run': 'show which reports would be copied',
  },
  epilog: `The source is the current server, or the store on this machine. Run the same command again to continue
an interrupted copy: the target stores each report once.`,
  run: async (cli, { to, toTeam, cluster = [], data, dryRun: isDry = false }) => {
    const clusters = cluster.map((name) => orUsage(`"${name}" cannot be a cluster.`, () => parseClusterName(name)))
    const ends = await openEnds(cli, { to, toTeam, data })
    const { copyReports } = await import('../../../submit/copy-reports.ts')
    const items: CopiedReport[] = []
    const failure = await withProgressBar(cli.io, (onProgress) =>
      interruptible(async (signal) => {
        for await (const item of copyReports({ ...ends, clusters, isDry, signal, onProgress })) items.push(item)
      }),
    ).catch((error: unknown) => toFailure(error))
    const failed = items.filter(({ state }) => state === 'failed').length
    if (!failure || items.length > 0) await showCopied(cli, items, { to, isWhole: !failure && failed === 0 })
    if (failure) throw failure
    if (failed === 0) return
    throw new ReltError('incomplete', `${failed} of ${count(items.length, 'report')} could not be copied.`)
  },
})

/** Adds how to continue to errors that pass. */
function toFailure(error: unknown) {
  if (!(error instanceof ReltError) || !['unreachable', 'busy', 'cancelled', 'store_full'].includes(error.code)) {
    return error
  }
  const { code, message, origin } = error
  const hint = 'Run the same command again to continue.'
  return new ReltError(code, message, { hint, cause: error, ...(origin && { origin }) })
}

/** Throws `usage` if both ends are the same, and for credentials in the environment with two servers. */
async function openEnds(
  { context }: Cli,
  { to, toTeam, data }: { to: string; toTeam?: string | undefined; data?: string | undefined },
) {
  const server = await context.server()
  const isLocal = to === 'local'
  // One pair of credentials must not be sent to two servers.
  if (server && !isLocal && (context.env.RELT_USERNAME || context.env.RELT_PASSWORD)) {
    throw new ReltError('usage', 'RELT_USERNAME and RELT_PASSWORD would be sent to both servers.', {
      hint: 'Unset them, and sign in to each server: relt auth login URL',
    })
  }
  if (isLocal && toTeam !== undefined) {
    throw new ReltError('usage', '--to-team needs a server: the store on this machine belongs to one user.')
  }
  const team = toTeam === ownAccount ? undefined : toTeam
  const target = isLocal ? undefined : await context.toClient(to, { team })
  const isSame = server ? server.url === target?.server.url && server.team === team : isLocal && data === undefined
  if (isSame) {
    throw new ReltError('usage', 'The source and the target are the same.', {
      hint: 'Choose the source with --server, --local or --data, and the target with --to.',
    })
  }
  return {
    from: await context.client(),
    to: target?.client ?? (await context.localClient()),
    source: server?.url ?? 'local',
  }
}

async function showCopied(cli: Cli, items: CopiedReport[], { to, isWhole }: { to: string; isWhole: boolean }) {
  await show(cli, {
    body: {
      success: isWhole,
      items: items.map(({ run, ...rest }) => ({
        run_id: run.run_id,
        cluster_name: run.cluster_name,
        environment: run.environment,
        scanned_at: scannedAt(run),
        ...rest,
      })),
    },
    rows: items,
    columns: () => [
      { title: titles.run, value: ({ run }) => run.run_id },
      { title: titles.cluster, value: ({ run }) => run.cluster_name ?? '-' },
      { title: titles.environment, value: ({ run }) => run.environment ?? '-' },
      { title: titles.scanned, value: ({ run }) => scannedAt(run) },
      { title: titles.state, value: member('state') },
      { title: 'Copy', value: ({ new_run_id, reason }) => new_run_id ?? reason ?? '' },
    ],
    text: () => renderCopied(items, to),
    empty: 'The source has no reports.',
  })
}

/** Failed reports by name, others by number. */
function renderCopied(items: CopiedReport[], to: string) {
  const many = (wanted: CopiedReport['state']) => items.filter(({ state }) => state === wanted).length
  const [copied, toCopy, present] = [many('copied'), many('to copy'), many('already there')]
  const lines = [
    copied > 0 && `Copied ${count(copied, 'report')} to ${to}.`,
    toCopy > 0 && `Would copy ${count(toCopy, 'report')} to ${to}.`,
    present > 0 && `Already there: ${count(present, 'report')}.`,
    ...items.flatMap(({ run, reason }) =>
      reason === null ? [] : [`Failed: ${run.run_id} of ${run.cluster_name ?? 'an unknown cluster'}: ${reason}`],
    ),
  ]
  return lines.flatMap((line) => (line ? [`${plain(line)}\n`] : [])).join('')
}

import type { Client } from '../../../client/client.ts'
import type { ScopeAcceptance } from '../../../contract/cluster-report.ts'
import { ReltError } from '../../../errors.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { titles } from '../../../views/titles.ts'
import { show } from '../../output/output.ts'
import { say } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { onlyClusterOptions } from '../reports/cluster.ts'
import { runForms } from '../reports/find-run.ts'
import { defaultRuns, findGateRuns } from './find-runs.ts'

export default verb({
  name: 'accept-scope',
  summary: 'Accept the checks and namespaces of a run as the scope of its cluster',
  examples: [
    'relt gate accept-scope --dry-run',
    'relt gate accept-scope --reason "KubeBuddy 2.1 renamed SEC003 to SEC103"',
    'relt gate accept-scope crun_k3v7qd2m5x4aznle --reason "The sandbox is not ours any more"',
  ],
  args: [['[run]', `${runForms}; it must be the latest of its scanner (default: ${defaultRuns})`]],
  options: {
    ...onlyClusterOptions,
    '--reason <text>': 'why the scope is smaller, for those who read the verdict',
    '--dry-run': 'list what would no longer be expected, without accepting',
  },
  run: async (cli, id, options) => {
    const { reason, dryRun } = options
    const client = await cli.context.client()
    const accepted = await Array.fromAsync(await findGateRuns(cli, id, options), (run_id) =>
      dryRun ? preview(client, run_id) : accept(client, run_id, reason),
    )
    const rows = accepted.flatMap(toRows)
    for (const each of dryRun ? [] : accepted) {
      const { run_id, cluster_name, environment, format } = each
      say(cli, `Accepted the scope of ${run_id}: ${cluster_name} (${environment}), ${format}`)
    }
    await show(cli, {
      body: { success: true, ...(dryRun && { dry_run: true }), accepted },
      rows,
      columns: () => columns,
      empty: 'Nothing is missing from the scope accepted so far.',
      ...(rows.length > 0 && {
        note: dryRun
          ? 'These would no longer be expected.'
          : 'These are no longer expected. Judge the run again: relt gate check',
      }),
    })
  },
})

type Dropped = Pick<ScopeAcceptance, 'run_id' | 'dropped_checks' | 'dropped_namespaces' | 'dropped_kinds'> & {
  cluster_name: string | null
  environment: string | null
  format: ScopeAcceptance['format'] | null
}

async function accept(client: Client, run_id: string, reason: string | undefined): Promise<Dropped> {
  try {
    return await client.call('acceptScope', { params: { run_id }, body: { ...(reason !== undefined && { reason }) } })
  } catch (error) {
    if (!(error instanceof ReltError) || error.code !== 'not_found') throw error
    // Throws for an unknown run.
    await client.call('getReport', { params: { run_id } })
    throw unknownScopes(error)
  }
}

async function preview(client: Client, run_id: string): Promise<Dropped> {
  const run = await client.call('getReport', { params: { run_id } })
  const { cluster_name, environment, format, accepted_scope: scope } = run
  if (scope === undefined) throw unknownScopes()
  return {
    run_id,
    cluster_name,
    environment,
    format,
    dropped_checks: scope?.missing_checks ?? [],
    dropped_namespaces: scope?.missing_namespaces ?? [],
    dropped_kinds: scope?.missing_kinds ?? [],
  }
}

const unknownScopes = (cause?: unknown) =>
  new ReltError('not_found', 'The server does not store accepted scopes.', { cause })

interface Row {
  run_id: string
  part: string
  name: string
}

function toRows({ run_id, dropped_checks, dropped_namespaces, dropped_kinds }: Dropped): Row[] {
  const of = (part: string, names: string[]) => names.map((name) => ({ run_id, part, name }))
  return [...of('check', dropped_checks), ...of('namespace', dropped_namespaces), ...of('kind', dropped_kinds)]
}

const columns: Column<Row>[] = [
  { title: titles.part, value: ({ part }) => part },
  { title: titles.name, value: ({ name }) => name, min: 12 },
  { title: titles.run, value: ({ run_id }) => run_id },
]

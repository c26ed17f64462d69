import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import type { Impact, ImpactItem } from '../../../contract/impact.ts'
import { ReltError } from '../../../errors.ts'
import { type Io, plain } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { basisRemarks, count, note, nothingRuns, type Remark, uploadFirst } from '../../output/remarks.ts'
import { securityWord } from '../../output/security-word.ts'
import { type Column, renderTable } from '../../output/table.ts'
import { type Cli, cliOf, newNoun } from '../../program/command.ts'
import { resolveProject } from '../projects/resolve.ts'

export interface ImpactOptions {
  release?: number
  cve?: string
  project?: string
}

export function createCommand(context: Context, run = runImpact): Command {
  return newNoun('impact', [
    'relt impact',
    'relt impact --cve CVE-2026-1234',
    'relt impact --project argo-cd',
    'relt impact --release 1234 --json',
  ])
    .option('-r, --release <id>', 'what runs and is older than this release', wholeNumber(Number.MAX_SAFE_INTEGER))
    .option('--cve <id>', 'what runs without the fix of this CVE or GHSA')
    .option('-p, --project <project>', 'what of this project, by slug, name or id, is behind')
    .action((options, command) => run(cliOf(context, command), options))
}

export async function runImpact(cli: Cli, { release, cve, project }: ImpactOptions): Promise<void> {
  if ([release, cve, project].filter((value) => value !== undefined).length > 1) {
    throw new ReltError('usage', '--release, --cve and --project exclude each other.', { hint: 'Give one of them.' })
  }
  const client = await cli.context.client()
  const impact = await client.call('getImpact', {
    query: {
      ...(release !== undefined && { release_id: release }),
      ...(cve !== undefined && { cve }),
      ...(project !== undefined && { product_id: await resolveProject(cli, project) }),
    },
  })
  await show(cli, {
    body: impact,
    rows: impact.items,
    columns: () => dataColumns,
    text: (io) => renderImpact(io, impact),
    remarks: remarksOn(impact, cli.context.now()),
    empty: whyNone(impact, cve),
  })
}

function remarksOn(impact: Impact, now: number): Remark[] {
  const isOpen = impact.items.some((item) => !item.is_certain)
  return [
    ...(isOpen ? [note('`?` marks a version the tag does not state.')] : []),
    ...(impact.summary.clusters_seen === 0 ? [nothingRuns] : []),
    ...basisRemarks(impact, now),
  ]
}

function whyNone({ summary, releases }: Impact, cve: string | undefined): string {
  if (summary.clusters_seen === 0) return uploadFirst
  if (cve && releases.length === 0) {
    return `No release in the catalog is known to fix ${cve}, so it is unknown whether it affects you.`
  }
  return `No known version in ${count(summary.clusters_seen, 'cluster')} is affected.`
}

function renderImpact(io: Io, { summary, items }: Impact): string {
  const { clusters, clusters_seen, namespaces, workloads } = summary
  const parts = [
    `${clusters} of ${count(clusters_seen, 'cluster')}`,
    count(namespaces, 'namespace'),
    count(workloads, 'workload'),
  ]
  return `${io.color.bold(parts.join(', '))}\n${renderTable(io, columns(io), items)}`
}

const columns = ({ color }: Io): Column<ImpactItem>[] => [
  { title: 'Cluster', value: clusterOf, style: (cell) => color.bold(cell), min: 8 },
  { title: 'Artifact', value: (item) => item.display_name, min: 16, cutAt: 'start' },
  {
    title: 'Wants',
    value: (item) => `${item.wanted_version}${item.is_certain ? '' : ' ?'}`,
    style: (cell, item) => (item.is_certain ? color.red(cell) : color.dim(cell)),
    min: 8,
  },
  { title: 'Severity', value: severityOf, from: 100 },
  { title: 'Runs in', value: placeOf, min: 8 },
]

function severityOf({ has_security_fix, severity: security_severity }: ImpactItem): string {
  return securityWord({ has_security_fix, security_severity })
}

function clusterOf({ cluster_name, environment }: ImpactItem): string {
  return environment === 'prod' ? cluster_name : `${cluster_name} (${environment})`
}

function placeOf({ workloads, namespaces }: ImpactItem): string {
  const places = workloads.length > 0 ? workloads : namespaces
  const [first = '-', ...more] = places
  return more.length > 0 ? `${plain(first)} and ${more.length} more` : first
}

const dataColumns: Column<ImpactItem>[] = [
  { title: 'Cluster', value: (item) => item.cluster_name },
  { title: 'Environment', value: (item) => item.environment },
  { title: 'Project', value: (item) => item.product_name },
  { title: 'Artifact', value: (item) => item.display_name },
  { title: 'Runs', value: (item) => item.current_version ?? '' },
  { title: 'Wants', value: (item) => item.wanted_version },
  { title: 'Severity', value: (item) => severityOf(item).replace(/^-$/, 'none') },
  { title: 'Certain', value: (item) => String(item.is_certain) },
  { title: 'Namespaces', value: (item) => item.namespaces.join(' ') },
  { title: 'Workloads', value: (item) => item.workloads.join(' ') },
]

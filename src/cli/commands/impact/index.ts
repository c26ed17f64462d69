import { InvalidArgumentError } from 'commander'
import type { Impact, ImpactAdvisory, ImpactItem } from '../../../contract/impact.ts'
import { anyAdvisoryId } from '../../../contract/patterns.ts'
import { ReltError } from '../../../errors.ts'
import { type Column, renderTable } from '../../../render/terminal/table.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { parseDays } from '../../../util/time.ts'
import { count } from '../../../util/words.ts'
import { advisoryEdge } from '../../../views/advisory-edge.ts'
import { impactText, wayText } from '../../../views/step.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { basisRemarks, noArtifactsRemark, note, type Remark, uploadFirst, warning } from '../../output/remarks.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'
import { verb } from '../../program/verb.ts'
import { resolveProject } from '../projects/resolve.ts'

const options = {
  '-r, --release <id>': { help: 'list workloads older than this release', parse: wholeNumber(Number.MAX_SAFE_INTEGER) },
  '--cve <id>': 'the same as the argument',
  '--project <project>': 'list outdated workloads of this project, by slug, name or id',
  '--new <days>': { help: 'list recent advisories that affect your clusters, such as 7d', parse: daysOf },
} as const

type ImpactOptions = OptionsOf<typeof options>

export default verb({
  examples: [
    'relt impact',
    'relt impact CVE-2026-1234',
    'relt impact ACME-2026-1',
    'relt impact --new 7d',
    'relt impact --project argo-cd',
    'relt impact --release 1234 --json',
  ],
  args: [['[advisory]', 'list workloads affected by this advisory; exit code 6 if the catalog does not know it']],
  options,
  run: runImpact,
})

/** At most a year. */
function daysOf(text: string): number {
  const days = parseDays(text)
  if (days !== undefined && days >= 1 && days <= 365) return days
  throw new InvalidArgumentError('Use a number of days from 1d to 365d.')
}

async function runImpact(cli: Cli, advisory: string | undefined, options: ImpactOptions): Promise<void> {
  const { release, cve = advisory, project, new: newDays } = options
  const given = [release, advisory, options.cve, project, newDays].filter((value) => value !== undefined)
  if (given.length > 1) {
    const hint = 'Use one of them.'
    throw new ReltError('usage', 'An advisory, --release, --cve, --project and --new cannot be combined.', { hint })
  }
  if (cve !== undefined && !new RegExp(anyAdvisoryId).test(cve)) throw noAdvisoryId(cve)
  const client = await cli.context.client()
  const impact = await client.call('getImpact', {
    query: {
      ...(release !== undefined && { release_id: release }),
      ...(cve !== undefined && { cve }),
      ...(project !== undefined && { product_id: await resolveProject(cli, project) }),
      ...(newDays !== undefined && { new_days: newDays }),
    },
  })
  const about = { body: impact, remarks: remarksOn(impact, cli.context.now(), cve) }
  if (newDays !== undefined) return showNewAdvisories(cli, impact, { ...about, days: newDays })
  const unknown = cve === undefined ? undefined : whyUnknown(impact, cve)
  await show(cli, {
    ...about,
    rows: impact.items,
    columns: () => dataColumns,
    ...(unknown
      ? { text: () => '' }
      : { text: (io: Io) => renderImpact(io, impact, cve !== undefined), empty: whyNone(impact, cve !== undefined) }),
  })
  if (unknown) throw unknown
}

function noAdvisoryId(typed: string): ReltError {
  return new ReltError('usage', `"${typed}" is no advisory id such as CVE-2026-1234 or GHSA-2q8w-4v6x-9c3f.`, {
    hint: `A project: relt impact --project ${/^[\w.-]+$/.test(typed) ? typed : 'NAME'}`,
  })
}

/** Why the question about one advisory has no answer; undefined where it has one. */
function whyUnknown({ summary, releases, has_ranges }: Impact, cve: string): ReltError | undefined {
  if (summary.clusters_seen === 0) {
    return new ReltError('gate_undecided', `Nothing was compared with ${cve}: no report says what runs.`, {
      hint: uploadFirst,
    })
  }
  if (has_ranges || releases.length > 0) return undefined
  return new ReltError(
    'gate_undecided',
    `The catalog does not know which versions ${cve} affects, so it is unknown whether it affects you.`,
    { hint: 'Look for newer facts with relt catalog sync, or add your own: relt catalog advisories import FILE' },
  )
}

async function showNewAdvisories(
  cli: Cli,
  impact: Impact,
  { days, ...about }: { body: Impact; remarks: Remark[]; days: number },
): Promise<void> {
  const { advisories } = impact
  if (!advisories) {
    throw new ReltError('bad_answer', 'The server does not list new advisories.', { hint: 'See all: relt impact' })
  }
  const { clusters_seen } = impact.summary
  await show<ImpactAdvisory>(cli, {
    ...about,
    rows: advisories,
    columns: ({ color }) => advisoryColumns(color),
    empty:
      clusters_seen === 0
        ? uploadFirst
        : `No advisory of the last ${count(days, 'day')} affects a known version in ${count(clusters_seen, 'cluster')}. ${advisoryEdge(impact.coverage)}`,
  })
}

const advisoryColumns = (color: Io['color']): Column<ImpactAdvisory>[] => [
  { title: 'Advisory', value: ({ id }) => id, style: (cell) => color.bold(cell) },
  {
    title: 'Severity',
    value: ({ severity, exploited }) => `${severity ?? 'unrated'}${exploited ? ', exploited' : ''}`,
  },
  { title: 'Published', value: ({ published }) => published },
  { title: 'Project', value: ({ product_name }) => product_name, min: 10 },
  {
    title: 'Affects',
    value: ({ clusters, artifacts, is_certain }) =>
      `${count(artifacts, 'artifact')} in ${count(clusters, 'cluster')}${is_certain ? '' : ' ?'}`,
    style: (cell, { is_certain }) => (is_certain ? color.red(cell) : color.dim(cell)),
  },
]

function remarksOn(impact: Impact, now: number, cve: string | undefined): Remark[] {
  const isOpen = impact.items.some((item) => !item.is_certain)
  const exploited = cve === undefined ? undefined : impact.advisories?.find((advisory) => advisory.exploited)?.exploited
  return [
    ...(exploited
      ? [
          warning(
            `${plain(cve!)} is exploited: listed on ${exploited.since}${exploited.ransomware ? ', used by ransomware' : ''}.`,
          ),
        ]
      : []),
    ...(isOpen ? [note('`?` marks a version the tag does not state.')] : []),
    ...(impact.summary.clusters_seen === 0 ? [noArtifactsRemark] : []),
    ...basisRemarks(impact, now),
  ]
}

function whyNone({ summary, coverage }: Impact, isAboutAdvisory: boolean): string {
  if (summary.clusters_seen === 0) return uploadFirst
  const none = `No known version in ${count(summary.clusters_seen, 'cluster')} is affected.`
  return isAboutAdvisory ? `${none} ${advisoryEdge(coverage)}` : none
}

function renderImpact(io: Io, { summary, items }: Impact, isOfOne: boolean): string {
  const { clusters, clusters_seen, namespaces, workloads } = summary
  const parts = [
    `${clusters} of ${count(clusters_seen, 'cluster')}`,
    count(namespaces, 'namespace'),
    count(workloads, 'workload'),
  ]
  return `${io.color.bold(parts.join(', '))}\n${renderTable(io, columns(io, isOfOne), items)}`
}

const columns = ({ color }: Io, isOfOne: boolean): Column<ImpactItem>[] => [
  { title: 'Cluster', value: clusterOf, style: (cell) => color.bold(cell), min: 8 },
  { title: 'Artifact', value: (item) => item.display_name, min: 16 },
  {
    title: 'Upgrade to',
    value: (item) => `${impactText(item, isOfOne)}${item.is_certain ? '' : ' ?'}`,
    style: (cell, item) => (item.is_certain ? color.red(cell) : color.dim(cell)),
    min: 8,
  },
  { title: 'Severity', value: severityOf, from: 100 },
  { title: 'Runs in', value: placeOf, min: 8 },
]

function severityOf({ has_security_fix, severity, exploited }: ImpactItem): string {
  const rated = severity && severity !== 'none' ? severity : has_security_fix ? 'unrated' : '-'
  return exploited ? `${rated}, exploited` : rated
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
  { title: 'Upgrade to', value: (item) => item.wanted_version ?? '' },
  { title: 'Severity', value: (item) => severityOf({ ...item, exploited: false }).replace(/^-$/, 'none') },
  { title: 'Certain', value: (item) => String(item.is_certain) },
  { title: 'Namespaces', value: (item) => item.namespaces.join(' ') },
  { title: 'Workloads', value: (item) => item.workloads.join(' ') },
  { title: 'Advisories', value: (item) => (item.advisory_ids ?? []).join(' ') },
  { title: 'Fixed in', value: ({ fixed_in }) => fixed_in ?? '' },
  { title: 'Step', value: ({ step }) => (step ? wayText(step) : '') },
  { title: 'Exploited', value: ({ exploited }) => String(exploited ?? false) },
  { title: 'States', value: ({ states }) => (states ?? []).join(' ') },
]

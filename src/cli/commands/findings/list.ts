import { findingGroupings, findingOrders, findingSeverities, findingStates } from '../../../contract/choices.ts'
import type { FindingGroup, FindingListItem, Findings } from '../../../contract/finding.ts'
import { dataColumns, drawColumns } from '../../../render/terminal/draw.ts'
import { type Column, renderTable } from '../../../render/terminal/table.ts'
import { defined } from '../../../util/defined.ts'
import { capital, count, number } from '../../../util/words.ts'
import { groupColumns } from '../../../views/check.ts'
import { coverageNotes } from '../../../views/coverage.ts'
import { findingTables } from '../../../views/finding-tables.ts'
import { titles } from '../../../views/titles.ts'
import { toldApart } from '../../../views/told-apart.ts'
import { sinceOption, sinceQuery } from '../../input/interval.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { screenOptions, screenQuery } from '../../output/page.ts'
import { withProgress } from '../../output/progress.ts'
import { formatRemark } from '../../output/remarks.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'
import { verb } from '../../program/verb.ts'
import { aboutCluster, unknownCluster } from '../reports/cluster.ts'
import { runForms } from '../reports/find-run.ts'
import { choiceOptions, chooseRuns, placeOfQuery } from './choice.ts'

const options = {
  ...choiceOptions,
  '-s, --severity <severities>': {
    help: `${findingSeverities.join(', ')}; several with commas`,
    several: findingSeverities,
  },
  '--namespace <name>': 'namespace; - for findings without one',
  '--check <id>': 'check, by its id',
  '--resource <text>': 'part of the resource, such as deployment/web',
  '--search <text>': 'part of check, namespace, resource, message or value',
  '--owner <name>': 'who owns it, by `relt owners`; - for findings that nobody owns',
  '--state <states>': {
    help: `${findingStates.join(', ')}; several with commas (default: open)`,
    several: findingStates,
  },
  '--since <time>': sinceOption,
  '-g, --group-by <field>': { help: 'count findings by a field', choices: findingGroupings },
  '--sort <field>': { help: 'order of the rows (default: severity)', choices: findingOrders },
  ...screenOptions,
} as const

type ListFindingsOptions = OptionsOf<typeof options>

export default verb({
  name: 'list',
  summary: 'List findings of the latest runs',
  examples: [
    'relt findings list --severity critical,high',
    'relt findings list --cluster prod-eu --namespace shop --state new,regressed',
    'relt findings list --all --search privileged --group-by cluster',
    'relt findings list --all --owner payments',
    'relt findings list crun_k3v7qd2m5x4aznle --check SEC003',
  ],
  args: [['[run]', `${runForms} (default: the latest run of each scanner)`]],
  options,
  run: runList,
})

async function runList(cli: Cli, id: string | undefined, options: ListFindingsOptions) {
  const { severity, namespace, check, resource, search, owner, state, groupBy: group_by, sort } = options
  const query = {
    ...(await chooseRuns(cli, id, options)),
    ...defined({ severity: severity?.join(','), state: state?.join(',') }),
    ...defined({ namespace, check, resource, search, owner, group_by, sort }),
    ...sinceQuery(options.since, cli.context.now()),
    ...screenQuery(options),
  }
  const found = await withProgress(cli.io, 'Reading findings', () =>
    aboutCluster(cli, placeOfQuery(query), cli.call('listFindings', { query })),
  )
  const unknown = found.looked_at.runs === 0 ? await unknownCluster(cli, placeOfQuery(query)) : undefined
  if (unknown) throw unknown
  const common = {
    body: found,
    remarks: coverageNotes(found.looked_at, { state, news: found, now: cli.context.now() }).map(formatRemark),
    empty: emptyText(found, options),
    page: found,
  }
  const { group_by: by } = found
  if (by !== null) {
    return show<FindingGroup>(cli, { ...common, rows: found.groups, columns: (io) => toGroupColumns(by, io) })
  }
  const items = toldApart(found.items)
  const text = (io: Io) =>
    found.items.length > 0 ? `${formatTitle(io, found, query)}${renderTable(io, toColumns(found, io), items)}` : ''
  await show<FindingListItem>(cli, { ...common, rows: items, columns: (io) => toColumns(found, io), text })
}

function formatTitle({ color }: Io, { findings, rows, items, looked_at }: Findings, query: object) {
  const [first] = items
  const isOne = looked_at.clusters === 1 && first !== undefined
  const where = isOne ? `${first.cluster_name} (${first.environment})` : count(looked_at.clusters, 'cluster')
  const many = rows > findings ? `, ${number(rows)} rows` : ''
  const what = 'state' in query ? `: ${String(query.state).replaceAll(',', ', ')}` : ''
  return `${color.bold(`${count(findings, 'finding')}${many} in ${where}${what}`)}\n`
}

function emptyText(
  { looked_at }: Findings,
  { state, severity, namespace, check, resource, search, owner }: ListFindingsOptions,
) {
  if (looked_at.runs === 0) return 'No reports yet. Upload one: relt reports upload FILE'
  const filters = [severity, namespace, check, resource, search, owner].some((filter) => filter !== undefined)
  const states = state?.join(' or ') ?? 'open'
  const what = states === 'not-run' ? 'No check that did not run' : `No ${states} finding`
  return `${what}${filters ? ' matches these filters' : ''} in ${count(looked_at.runs, 'run')} of ${count(looked_at.clusters, 'cluster')}.`
}

function toColumns({ items, looked_at }: Findings, io: Io): Column<FindingListItem>[] {
  const omitted = [
    ...(items.some(({ state, not_looked_at_since }) => state !== 'open' || not_looked_at_since) ? [] : ['state']),
    ...(looked_at.clusters > 1 ? [] : ['cluster']),
    ...(items.some(({ owners = [] }) => owners.length > 0) ? [] : ['owner']),
  ]
  const columns = findingTables.list.filter(({ key }) => !omitted.includes(key))
  return io.isTerminal ? drawColumns(io, columns) : dataColumns(columns)
}

function toGroupColumns(by: NonNullable<Findings['group_by']>, io: Io): Column<FindingGroup>[] {
  const keys = (['severity', 'findings', 'rows', 'clusters'] as const).filter((key) => key !== by && `${by}s` !== key)
  const shown = keys.map((key) => groupColumns[key])
  return [
    { title: capital(by), value: ({ key }) => key, min: 12 },
    ...(by === 'check' ? [{ title: titles.name, value: ({ name }: FindingGroup) => name, min: 10 }] : []),
    ...(io.isTerminal ? drawColumns(io, shown) : dataColumns(shown)),
  ]
}

import type { RouteCaller } from '../../../client/client.ts'
import { freshnessStatuses } from '../../../contract/choices.ts'
import type { Coverage } from '../../../contract/freshness.ts'
import type { ReceivedFreshness, ReceivedFreshnessItem } from '../../../contract/received/cluster-report.ts'
import { factsDay, stepWord } from '../../../lifecycle/step-text.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { coverageText } from '../../../reports/coverage-text.ts'
import { scannedAt } from '../../../reports/run-subject.ts'
import { formatDay } from '../../../util/time.ts'
import { count } from '../../../util/words.ts'
import { version } from '../../../version.ts'
import { advisoryEdge } from '../../../views/advisory-edge.ts'
import { titles } from '../../../views/titles.ts'
import type { Io } from '../../output/io.ts'
import { member, show } from '../../output/output.ts'
import { fold, linesIn } from '../../output/print.ts'
import { environmentRemarks, renderRemarks, runRemarks, warning } from '../../output/remarks.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'
import { verb } from '../../program/verb.ts'
import { ownedBy } from '../owners/choice.ts'
import { clusterOptions } from './cluster.ts'
import { findRun, type PlacedRun, runForms } from './find-run.ts'
import { freshnessGroupings, showFreshnessBy } from './freshness-by.ts'

const options = {
  ...clusterOptions(),
  '--all': 'the latest run of every cluster',
  '--full': 'show all artifacts, also those that need no work or do not fit on the terminal',
  '--explain': 'show the candidate projects of each artifact and why one matched',
  '--vulnerable': 'show only artifacts that an advisory affects',
  '--ended': 'show only artifacts whose support has ended',
  '--nodes': 'show what the nodes run, with ends of support and the skew of kubelets',
  '--wanted': 'show the charts that Argo CD, Flux or k3s are asked to install, beside what runs',
  '--namespace <name>': 'show only artifacts that run in this namespace',
  '--owner <name>': 'show only artifacts of this owner, by `relt owners`; - for those that nobody owns',
  '--by <field>': { help: 'count artifacts by a field', choices: freshnessGroupings },
  '--registry': 'query the registries of images the catalog does not know',
  '-s, --status <status>': { help: 'only artifacts with this status', choices: [...freshnessStatuses, 'managed'] },
  '--sarif <file>': 'write the advisories that affect artifacts as SARIF 2.1.0',
} as const

export type ShowFreshnessOptions = OptionsOf<typeof options>

export default verb({
  name: 'freshness',
  summary: 'List outdated images, charts and Kubernetes versions',
  examples: [
    'relt reports freshness',
    'relt reports freshness --full',
    'relt reports freshness --status major_behind',
    'relt reports freshness --vulnerable',
    'relt reports freshness --namespace shop --ended',
    'relt reports freshness --nodes',
    'relt reports freshness --wanted',
    'relt reports freshness --all --status major_behind',
    'relt reports freshness --all --by project',
    'relt reports freshness latest~1 --explain',
    'relt reports freshness --registry',
    'relt reports freshness --sarif advisories.sarif',
  ],
  args: [['[run]', `${runForms} (default: the latest run)`]],
  options,
  run: runFreshness,
})

export async function runFreshness(cli: Cli, id: string | undefined, options: ShowFreshnessOptions) {
  if (options.all) return (await import('./freshness-all.ts')).runFreshnessOfAll(cli, id, options)
  const { run_id, placed, isLatest } = await findRun(cli, id, options)
  const explain = options.explain === true
  const assessed = await cli.call('reportFreshness', { params: { run_id }, query: { explain } })
  const freshness = options.registry
    ? await (await import('./ask-registries.ts')).askRegistries(cli, assessed)
    : assessed
  const place = await placeOfRun(cli, run_id, { placed, options })
  const labelsFor = () => freshness.owner_labels
  const isOwned = await ownedBy(cli, options.owner, labelsFor)
  const items = freshness.items.filter((item) => isChosen(item, options) && isOwned(item, place))
  const remarks = choiceRemarks(freshness.items, options)
  if (options.by) {
    const rows = items.map((item) => ({ ...item, ...place }))
    return showFreshnessBy(cli, rows, { by: options.by, labelsFor, remarks })
  }
  if (options.sarif) await writeAdvisories(cli, { run_id, freshness }, options.sarif)
  const shown = { ...freshness, items, ...(placed && placeFor(placed)) }
  const showPart = await findPart(options)
  if (showPart) return showPart(cli, shown)
  const below = [
    ...(placed ? environmentRemarks(placed.run, placed.otherEnvironments) : []),
    ...(placed && isLatest ? runRemarks([{ ...placed.run, seen_at: scannedAt(placed.run) }], cli.context.now()) : []),
    ...remarks,
  ]
  const text = async (io: Io) => {
    const run = await cli.call('getReport', { params: { run_id } })
    const { renderCoverage, renderExplanations, renderFreshness } = await import('./freshness-view.ts')
    const now = cli.context.now()
    if (!explain) return renderFreshness(io, shown, { run, now, room: roomFor(io, options, renderRemarks(io, below)) })
    return `${renderExplanations(io, items)}\n${renderCoverage(io, shown, { run, now })}`
  }
  await show(cli, {
    body: shown,
    rows: items,
    columns: () => columns,
    text,
    remarks: below,
    ...emptyText(options, freshness.coverage),
  })
}

/** Lines of the terminal above the prompt and remarks; undefined if all artifacts are wanted. */
function roomFor(io: Io, options: ShowFreshnessOptions, remarks: string) {
  if (!io.isTerminal || isFiltered(options) || options.registry) return undefined
  return (io.height || 24) - linesIn(fold(io, remarks)) - 1
}

/** Whether the artifacts are chosen by an option, in place of those that need work. */
export const isFiltered = ({ full, status, vulnerable, ended, namespace, owner }: ShowFreshnessOptions) =>
  [full, status, vulnerable, ended, namespace, owner].some((filter) => filter !== undefined)

/** The view that an option such as --nodes selects instead of artifacts. */
async function findPart({ nodes, wanted }: ShowFreshnessOptions) {
  if (!nodes && !wanted) return undefined
  const { showNodes, showWanted } = await import('./freshness-parts.ts')
  return nodes ? showNodes : showWanted
}

/** The run's cluster, which determines owners. */
async function placeOfRun(
  client: RouteCaller,
  run_id: string,
  { placed, options: { owner, by } }: { placed: PlacedRun | undefined; options: ShowFreshnessOptions },
) {
  const none = { cluster_name: '', environment: '' }
  if (owner === undefined && by === undefined) return none
  const { cluster_name, environment } = placed?.run ?? (await client.call('getReport', { params: { run_id } }))
  return { cluster_name: cluster_name ?? '', environment: environment ?? '' }
}

export function isChosen(item: ReceivedFreshnessItem, { status, vulnerable, ended, namespace }: ShowFreshnessOptions) {
  return (
    // Components of a managed offering do not count as unknown.
    (!status || (item.vendor_component ? 'managed' : item.status) === status) &&
    (!vulnerable || (item.advisories_count ?? 0) > 0) &&
    (!ended || item.eol?.is_eol === true) &&
    // A workload is `namespace/kind/name`.
    (namespace === undefined ||
      item.namespace === namespace ||
      (item.workloads ?? []).some((workload) => workload.startsWith(`${namespace}/`)))
  )
}

/** Notes on artifacts that the filters hide. */
export function choiceRemarks(items: ReceivedFreshnessItem[], options: ShowFreshnessOptions) {
  return [...(options.vulnerable ? vulnerableRemarks(items) : []), ...(options.ended ? endedRemarks(items) : [])]
}

/** Shown if no artifact matches. */
export function emptyText(
  { vulnerable, ended, namespace, status, owner }: ShowFreshnessOptions,
  coverage: Coverage | null | undefined,
): { empty?: string } {
  if (vulnerable) return { empty: `No known version is affected by an advisory. ${advisoryEdge(coverage)}` }
  if (status !== undefined) return { empty: `No artifact has the status ${status}.` }
  return ended || (namespace ?? owner) !== undefined ? { empty: 'No artifact matches.' } : {}
}

/** Artifacts hidden by `--ended` whose support may have ended. */
function endedRemarks(items: ReceivedFreshnessItem[]) {
  const unknown = items.filter(({ artifact_type, eol }) => artifact_type !== 'helm_chart' && !eol).length
  return unknown > 0 ? [warning(`The end of support is not known for ${count(unknown, 'artifact')}.`)] : []
}

/** The file contains all artifacts of the run, whatever the filters. */
async function writeAdvisories(
  cli: Cli,
  { run_id, freshness }: { run_id: string; freshness: ReceivedFreshness },
  sarif: string,
) {
  const { write } = await import('../gate/outputs.ts')
  const { renderSarif } = await import('../../../ci/sarif.ts')
  const { advisoryFindings } = await import('../../../ci/advisory-findings.ts')
  const today = formatDay(cli.context.now())
  const run = await cli.call('getReport', { params: { run_id } })
  const { coverage } = freshness
  const result = coverage ? { coverage, coverage_summary: coverageText(coverage, run, today) } : {}
  write(sarif, renderSarif({ run, result }, advisoryFindings(freshness, { exceptions: [] }, today), version))
}

/** The run, for data formats. */
function placeFor({ run, otherEnvironments }: PlacedRun) {
  const { cluster_name, environment } = run
  return { cluster_name, environment, seen_at: scannedAt(run), other_environments: otherEnvironments }
}

/** Artifacts hidden by `--vulnerable` that may be affected. */
function vulnerableRemarks(items: ReceivedFreshnessItem[]) {
  const open = items.filter((item) => item.advisories_count === 0 && (item.advisories_undecided ?? 0) > 0).length
  const unknown = items.filter((item) => item.artifact_type !== 'helm_chart' && item.advisories_count === null).length
  return [
    open > 0 && warning(`${count(open, 'artifact')} may be affected: the tag does not state a full version.`),
    unknown > 0 && warning(`No advisories are known for ${count(unknown, 'artifact')}.`),
  ]
}

/** Columns of data formats; terminals show fewer. */
export const columns: Column<ReceivedFreshnessItem>[] = [
  { title: titles.status, value: member('status') },
  { title: titles.type, value: member('artifact_type') },
  { title: titles.artifact, value: member('display_name') },
  { title: titles.runs, value: (item) => item.current_version ?? '' },
  { title: 'Same line', value: (item) => item.same_line_version ?? '' },
  { title: titles.newest, value: (item) => item.latest_version ?? '' },
  { title: titles.releases_behind, value: (item) => String(item.releases_behind ?? ''), align: 'right' },
  { title: titles.days_behind, value: (item) => String(item.days_behind ?? ''), align: 'right' },
  { title: titles.facts_of, value: factsDay },
  { title: titles.reason, value: member('reason') },
  { title: 'At least', value: ({ releases_behind_at_least: atLeast }) => (atLeast ? 'yes' : '') },
  { title: 'End of life', value: ({ eol }) => (eol ? (eol.date ?? (eol.is_eol ? 'ended' : 'supported')) : '') },
  { title: titles.advisories, value: ({ advisories_count }) => String(advisories_count ?? ''), align: 'right' },
  { title: 'Worst', value: ({ highest_advisory_severity }) => highest_advisory_severity ?? '' },
  { title: titles.fixed_in, value: ({ fixed_in }) => fixed_in ?? '' },
  { title: 'Managed by', value: ({ managed_by }) => managed_by ?? '' },
  { title: titles.states, value: ({ states }) => (states ?? []).join(' ') },
  { title: titles.step, value: stepWord },
  { title: 'Next line', value: ({ steps }) => steps?.next?.version ?? '' },
  {
    title: titles.exploited,
    value: ({ advisories_exploited }) => String(advisories_exploited ?? ''),
    align: 'right',
  },
]

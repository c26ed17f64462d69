import type { Impact } from '../../../contract/impact.ts'
import { anyAdvisoryId } from '../../../contract/patterns.ts'
import { ReltError } from '../../../errors.ts'
import { dataColumns, drawColumns, drawVerdict } from '../../../render/terminal/draw.ts'
import { renderTable } from '../../../render/terminal/table.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { defined } from '../../../util/defined.ts'
import { count } from '../../../util/words.ts'
import { advisoryEdge } from '../../../views/advisory-edge.ts'
import { type Asked, impactAdvisoryColumns, impactColumns, impactNotes, impactVerdict } from '../../../views/impact.ts'
import { groupImpact, impactProjectColumns } from '../../../views/impact-projects.ts'
import { plainText } from '../../../views/said.ts'
import { chosen } from '../../../views/view.ts'
import { parseDaysOfYear } from '../../input/interval.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { basisRemarks, formatRemark, noArtifactsRemark, note, type Remarks, uploadFirst } from '../../output/remarks.ts'
import type { Cli } from '../../program/command.ts'
import { verb } from '../../program/verb.ts'
import { clusterQuery, splitCluster, unknownCluster } from '../reports/cluster.ts'

export default verb({
  examples: [
    'relt impact',
    'relt impact CVE-2026-1234',
    'relt impact ACME-2026-1',
    'relt impact --new 7d',
    'relt impact -c prod-eu/prod',
    'relt impact --release 1234 --json',
  ],
  args: [['[advisory]', 'list workloads affected by this advisory; exit code 6 if the catalog does not know it']],
  options: {
    '-c, --cluster <name>': 'only this cluster: its name, or name/environment',
    '-e, --environment <name>': 'only clusters of this environment',
    '-r, --release <id>': {
      help: 'list workloads older than this release',
      parse: wholeNumber(Number.MAX_SAFE_INTEGER),
    },
    '--new <days>': { help: 'list recent advisories that affect your clusters, such as 7d', parse: parseDaysOfYear },
  },
  run: async (cli, cve, options) => {
    const { release, new: newDays } = options
    refuseSeveral([release, cve, newDays])
    if (cve !== undefined && !new RegExp(anyAdvisoryId).test(cve))
      throw new ReltError('usage', `"${cve}" is no advisory id such as CVE-2026-1234 or GHSA-2q8w-4v6x-9c3f.`, {
        hint: `A project: relt clusters versions ${/^[\w.-]+$/.test(cve) ? cve : 'NAME'}`,
      })
    const place = await splitCluster(cli, options)
    const impact = await cli.call('getImpact', {
      query: defined({ ...clusterQuery(place), release_id: release, cve, new_days: newDays }),
    })
    const unknownPlace = impact.summary.clusters_seen === 0 ? await unknownCluster(cli, place) : undefined
    if (unknownPlace) throw unknownPlace
    const now = cli.context.now()
    const asked = { isOfOne: cve !== undefined, now }
    const columns = impactColumns(asked.isOfOne)
    const about = { body: impact, remarks: remarksOn(impact, now, cve) }
    if (newDays !== undefined) return showNewAdvisories(cli, about, newDays)
    const unknown = cve === undefined ? undefined : whyUnknown(impact, cve)
    const isOfAll = release === undefined && cve === undefined
    await show(cli, {
      ...about,
      rows: impact.items,
      columns: () => dataColumns(data.map((key) => columns[key])),
      ...(unknown
        ? { text: () => '', remarks: [] }
        : {
            text: (io: Io) => render(io, impact, { ...asked, isOfAll }),
            empty: whyNone(impact, asked),
          }),
    })
    if (unknown) throw unknown
  },
})

function refuseSeveral(subjects: unknown[]) {
  if (subjects.filter((subject) => subject !== undefined).length <= 1) return
  throw new ReltError('usage', 'An advisory, --release and --new cannot be combined.', {
    hint: 'Use one of them.',
  })
}

/** Why a question about one advisory has no answer; undefined if it has one. */
function whyUnknown({ summary, releases, has_ranges, catalog_date }: Impact, cve: string) {
  if (summary.clusters_seen === 0) {
    return new ReltError('gate_undecided', `Nothing was compared with ${cve}: no report says what runs.`, {
      hint: uploadFirst,
    })
  }
  if (has_ranges || releases.length > 0) return undefined
  return new ReltError(
    'gate_undecided',
    `It is unknown whether ${cve} affects you: the catalog of ${plain(catalog_date)} does not know which versions it affects.`,
    { hint: 'Look for newer facts with relt catalog sync.' },
  )
}

async function showNewAdvisories(cli: Cli, about: { body: Impact; remarks: Remarks }, days: number) {
  const { advisories, summary, coverage } = about.body
  if (!advisories) {
    throw new ReltError('bad_answer', 'The server does not list new advisories.', { hint: 'See all: relt impact' })
  }
  const { clusters_seen } = summary
  await show(cli, {
    ...about,
    rows: advisories,
    columns: (io) => drawColumns(io, newAdvisories),
    empty:
      clusters_seen === 0
        ? uploadFirst
        : `No advisory of the last ${count(days, 'day')} affects a known version in ${count(clusters_seen, 'cluster')}. ${advisoryEdge(coverage)}`,
  })
}

function remarksOn(impact: Impact, now: number, cve: string | undefined) {
  const isOpen = impact.items.some((item) => !item.is_certain)
  return [
    ...impactNotes(impact, cve && plain(cve)).map(formatRemark),
    isOpen && note('`?` marks a version the tag does not state.'),
    impact.summary.clusters_seen === 0 && noArtifactsRemark,
    ...basisRemarks(impact, now),
  ]
}

/** Why nothing is affected, in sentences. */
function whyNone(impact: Impact, asked: Asked) {
  if (impact.summary.clusters_seen === 0) return uploadFirst
  const { words, gaps, more = [] } = impactVerdict(impact, asked)
  return [words, ...gaps, ...more].map((said) => `${plainText(said)}.`).join(' ')
}

const data = [
  'cluster',
  'environment',
  'project',
  'artifact',
  'runs',
  'upgrade_to',
  'severity',
  'certain',
  'namespaces',
  'workloads',
  'advisories',
  'fixed_in',
  'step',
  'exploited',
  'states',
] as const
const newAdvisories = chosen(impactAdvisoryColumns, 'advisory', 'severity', 'published', 'project', 'affects')

function render(io: Io, impact: Impact, { isOfAll, ...asked }: Asked & { isOfAll: boolean }) {
  const shown = chosen(impactColumns(asked.isOfOne), 'cluster', 'artifact', 'upgrade_to', 'severity', 'workloads')
  const table = isOfAll
    ? renderTable(io, drawColumns(io, impactProjectColumns), groupImpact(impact.items))
    : renderTable(io, drawColumns(io, shown), impact.items)
  return `${drawVerdict(io, impactVerdict(impact, asked))}\n${table}`
}

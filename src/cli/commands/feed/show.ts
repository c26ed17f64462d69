import type { RouteCaller } from '../../../client/client.ts'
import type { AnswerCoverage } from '../../../contract/answer-coverage.ts'
import type { ReceivedFeedItem } from '../../../contract/received/subscription.ts'
import { ReltError } from '../../../errors.ts'
import { paint } from '../../../render/terminal/draw.ts'
import { type Column, renderTable } from '../../../render/terminal/table.ts'
import { when } from '../../../util/ago.ts'
import { count, number } from '../../../util/words.ts'
import { groupByProject, type ProjectReleases } from '../../../views/feed-projects.ts'
import { securityText, securityTone, securityWord } from '../../../views/release.ts'
import { titles } from '../../../views/titles.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { basisRemarks, noArtifactsRemark, note, uploadFirst, warning } from '../../output/remarks.ts'
import { verb } from '../../program/verb.ts'
import { releaseColumns, securityColumn } from '../projects/recent-view.ts'
import { listSubscriptions } from '../subs/find.ts'
import { withLabel } from '../subs/with-label.ts'

export default verb({
  name: 'show',
  summary: 'List new releases of the projects you subscribe to',
  examples: ['relt feed', 'relt feed --days 30', 'relt feed --mine', 'relt feed --label production --security'],
  options: {
    '-d, --days <count>': { help: 'days to look back, at most 365 (default: 7)', parse: wholeNumber(365) },
    '--mine': 'only releases newer than the versions in your clusters, subscribed to or not',
    '--label <label>': 'only projects whose subscription has this label',
    '--security': 'only releases that fix a vulnerability',
  },
  run: async (cli, { label, security, ...query }) => {
    const labelled = label === undefined ? undefined : await productsWithLabel(cli, label)
    const found = await cli.call('getFeed', { query })
    if (query.mine && found.releases.some(({ affects }) => affects === undefined)) {
      throw new ReltError('bad_answer', 'The server does not report which releases affect your clusters.', {
        hint: 'List all releases: relt feed',
      })
    }
    const { looked_at } = found
    const releases = found.releases.filter(
      ({ product_id, has_security_fix: isFix, security_severity: severity }) =>
        (!labelled || (product_id !== null && labelled.has(product_id))) &&
        (!security || (isFix ?? (severity ?? 'none') !== 'none')),
    )
    const left = found.releases.length - releases.length
    const now = cli.context.now()
    const about = query.mine
      ? remarksOnMine(releases, looked_at)
      : { remarks: subscriptionRemarks(looked_at), empty: nothingNew(looked_at, query.days) }
    await show(cli, {
      body: left === 0 ? found : { ...found, releases },
      rows: releases,
      columns: (io, now) => [...columns(io, now), ...(query.mine ? [affectsColumn] : [])],
      text: (io, now) => {
        const projects = groupByProject(releases)
        const columns = [...projectColumns(io, now), ...(query.mine ? [affectsOfProject] : [])]
        return projects.length === 0 ? '' : renderTable(io, columns, projects)
      },
      note: releases.length > 0 && 'Releases of a project: relt projects releases NAME',
      remarks: [
        ...about.remarks,
        left > 0 && note(`${count(left, 'other release')} left out.`),
        ...basisRemarks(found, now),
      ],
      empty: about.empty,
    })
  },
})

async function productsWithLabel(client: RouteCaller, label: string) {
  const chosen = withLabel(await listSubscriptions(client), label)
  if (chosen.length === 0) {
    throw new ReltError('not_found', `No subscription has the label ${label}.`, { hint: 'List them: relt labels list' })
  }
  return new Set(chosen.map(({ product_id }) => product_id))
}

function remarksOnMine(releases: ReceivedFeedItem[], lookedAt: AnswerCoverage | null | undefined) {
  if (lookedAt?.clusters?.length === 0) {
    return { remarks: [noArtifactsRemark], empty: uploadFirst }
  }
  const isOpen = releases.some(({ affects }) => affects?.is_certain === false)
  return {
    remarks: isOpen ? [note('`?` marks releases for versions the tag does not state.')] : [],
    empty: 'No new release of a project that is known to run.',
  }
}

/** The number of projects that the feed covers. */
export function subscriptionRemarks(lookedAt: AnswerCoverage | null | undefined) {
  if (lookedAt?.subscriptions === undefined) return []
  if (lookedAt.subscriptions > 0) return [note(`Covers ${count(lookedAt.subscriptions, 'subscribed project')}.`)]
  return [warning('You have no subscriptions, so no releases are listed.')]
}

function nothingNew(lookedAt: AnswerCoverage | null | undefined, days = 7) {
  if (lookedAt?.subscriptions === 0) return 'Subscribe: relt subs add PROJECT'
  return `Nothing new in ${days === 1 ? 'a day' : `${days} days`}. Follow more projects: relt subs add PROJECT`
}

const columns = (io: Io, now: number) => [...releaseColumns(io, now), securityColumn(io)]

const projectColumns = ({ color, isTerminal, ...io }: Io, now: number): Column<ProjectReleases>[] => [
  { title: titles.project, value: ({ newest }) => newest.name, style: color.bold, min: 14, cut: true },
  { title: titles.version, value: ({ newest }) => newest.version, min: 12, cut: true },
  { title: titles.type, value: ({ newest }) => newest.type, from: 60 },
  { title: titles.releases, value: ({ releases }) => number(releases), align: 'right' },
  { title: titles.published, value: ({ newest }) => when(newest.published_at, { isTerminal, now }), from: 60 },
  {
    title: titles.security,
    value: ({ newest, worst }) =>
      securityText(worst) === null || worst === newest
        ? securityWord(newest)
        : `${securityWord(worst)} (${worst.version})`,
    style: (cell, { worst }) => paint({ color, ...io }, securityTone(worst))(cell),
    min: 12,
    cut: true,
  },
]

const affectsColumn: Column<Pick<ReceivedFeedItem, 'affects'>> = {
  title: titles.affects,
  value: ({ affects }) =>
    affects ? `${count(affects.clusters, 'cluster')}${affects.is_certain === false ? ' ?' : ''}` : '',
}

const affectsOfProject: Column<ProjectReleases> = {
  title: titles.affects,
  value: ({ widest }) => affectsColumn.value(widest),
}

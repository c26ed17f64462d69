import type { AdvisoryView } from '../../../../admin/catalog.ts'
import { ratingText } from '../../../../contract/rating-text.ts'
import { paint } from '../../../../render/terminal/draw.ts'
import type { Column } from '../../../../render/terminal/table.ts'
import { advisoryLink } from '../../../../security/advisory-ids.ts'
import type { VersionRange } from '../../../../security/version-range.ts'
import { ratingTone } from '../../../../views/advisory.ts'
import { titles } from '../../../../views/titles.ts'
import type { Io } from '../../../output/io.ts'
import { member, show } from '../../../output/output.ts'
import { noun, verb } from '../../../program/verb.ts'
import { openCatalog, pickEach } from '../command.ts'

const list = verb({
  name: 'list',
  summary: 'List advisories, the latest first',
  examples: ['relt catalog advisories list prometheus', 'relt catalog advisories list --json --jq ".items[].id"'],
  args: [['[project...]', 'slugs, names or ids']],
  run: async (cli, wanted) => {
    const catalog = await openCatalog(cli)
    const advisories = await catalog.advisories(await pickEach(cli, catalog, wanted))
    await show(cli, {
      body: { success: true, items: advisories },
      rows: advisories,
      columns,
      empty: 'The catalog has no advisories to list. A project may still be vulnerable: see relt catalog status.',
    })
  },
})

function columns(io: Io): Column<AdvisoryView>[] {
  return [
    { title: titles.advisory, value: member('id') },
    { title: titles.project, value: member('slug'), min: 12 },
    {
      title: titles.severity,
      value: ({ severity, withdrawn_at }) => (withdrawn_at === null ? ratingText(severity) : 'withdrawn'),
      style: (cell, { severity, withdrawn_at }) =>
        paint(io, withdrawn_at === null ? ratingTone(severity) : 'soft')(cell),
    },
    { title: titles.score, value: ({ score }) => (score === null ? '' : score.toFixed(1)), align: 'right', from: 100 },
    { title: titles.published, value: ({ published_at }) => published_at?.slice(0, 10) ?? '' },
    { title: titles.affected, value: ({ affected }) => affected.map(rangeText).join(', '), min: 16 },
  ]
}

const showAdvisory = verb({
  name: 'show',
  summary: 'Show an advisory with every range of affected versions',
  examples: ['relt catalog advisories show CVE-2026-40179', 'relt catalog advisories show GHSA-vffh-x6r8-xx99 --json'],
  args: [['<id>', 'CVE, GHSA or the id of a database']],
  run: async (cli, id) => {
    const advisories = await (await openCatalog(cli)).advisory(id)
    const rows = advisories.flatMap((advisory) =>
      advisory.affected.map((range) => ({ advisory, range: rangeText(range) })),
    )
    const [{ id: main, aliases, summary }] = advisories as [AdvisoryView]
    await show(cli, {
      body: { success: true, items: advisories },
      rows,
      columns: () => [
        { title: titles.project, value: ({ advisory }) => advisory.slug, min: 12 },
        { title: titles.affected, value: member('range'), min: 12 },
        {
          title: titles.severity,
          value: ({ advisory }) => (advisory.withdrawn_at ? 'withdrawn' : ratingText(advisory.severity)),
        },
        {
          title: titles.score,
          value: ({ advisory: { score } }) => (score === null ? '' : score.toFixed(1)),
          align: 'right',
        },
        { title: titles.published, value: ({ advisory }) => advisory.published_at?.slice(0, 10) ?? '' },
        { title: 'Databases', value: ({ advisory }) => advisory.databases.join(', '), min: 12, from: 80 },
      ],
      note: [[main, ...aliases].join(', '), summary, advisoryLink(main)].filter((line) => line !== ''),
    })
  },
})

export default noun({
  name: 'advisories',
  summary: 'List and show advisories with the versions that they affect',
  examples: ['relt catalog advisories list prometheus', 'relt catalog advisories show CVE-2026-1234'],
  verbs: [list, showAdvisory],
})

/** `2.0.0 to before 2.1.3`, `before 1.2.3`, `up to 1.4.0`, `from 3.0.0 on`, `all versions` */
function rangeText({ introduced, fixed, last_affected: last }: VersionRange) {
  const isFromStart = introduced === '0'
  if (fixed !== null) return isFromStart ? `before ${fixed}` : `${introduced} to before ${fixed}`
  if (last !== null) return isFromStart ? `up to ${last}` : last === introduced ? last : `${introduced} to ${last}`
  return isFromStart ? 'all versions' : `from ${introduced} on`
}

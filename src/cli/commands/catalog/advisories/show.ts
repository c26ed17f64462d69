import type { AdvisoryView } from '../../../../admin/catalog.ts'
import type { Column } from '../../../../render/terminal/table.ts'
import { advisoryLink } from '../../../../security/advisory-ids.ts'
import { ratingText } from '../../../../views/advisory.ts'
import { titles } from '../../../../views/titles.ts'
import type { Io } from '../../../output/io.ts'
import { show } from '../../../output/output.ts'
import { verb } from '../../../program/verb.ts'
import { openCatalog } from '../command.ts'
import { rangeText } from './range-text.ts'

export default verb({
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
      columns,
      note: [[main, ...aliases].join(', '), summary, advisoryLink(main)].filter((line) => line !== ''),
    })
  },
})

function columns(_: Io): Column<{ advisory: AdvisoryView; range: string }>[] {
  return [
    { title: titles.project, value: ({ advisory }) => advisory.slug, min: 12 },
    { title: titles.affected, value: ({ range }) => range, min: 12 },
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
  ]
}

import type { AdvisoryView } from '../../../../admin/catalog.ts'
import { paint } from '../../../../render/terminal/draw.ts'
import type { Column } from '../../../../render/terminal/table.ts'
import { ratingText, ratingTone } from '../../../../views/advisory.ts'
import { titles } from '../../../../views/titles.ts'
import type { Io } from '../../../output/io.ts'
import { show } from '../../../output/output.ts'
import { verb } from '../../../program/verb.ts'
import { openCatalog, pickEach } from '../command.ts'
import { rangeText } from './range-text.ts'

export default verb({
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
      empty: 'The catalog has no advisories to list. A project may still be vulnerable: see relt catalog coverage.',
    })
  },
})

function columns(io: Io): Column<AdvisoryView>[] {
  return [
    { title: titles.advisory, value: ({ id }) => id },
    { title: titles.project, value: ({ slug }) => slug, min: 12 },
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

import type { SourceStatus } from '../../../admin/catalog.ts'
import { paint } from '../../../render/terminal/draw.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { when } from '../../../util/ago.ts'
import { healthTone } from '../../../views/source.ts'
import { titles } from '../../../views/titles.ts'
import type { Io } from '../../output/io.ts'
import { member, show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'
import { openCatalog, pickEach } from './command.ts'
import { factsText } from './facts-text.ts'

export default verb({
  name: 'status',
  summary: 'Show the age and health of release sources',
  examples: ['relt catalog status', 'relt catalog status argo-cd', 'relt catalog status --failing --output csv'],
  args: [['[project...]', 'slugs, names or ids']],
  options: {
    '--failing': 'only failing sources',
  },
  run: async (cli, projects, { failing }) => {
    const catalog = await openCatalog(cli)
    const all = await catalog.status(await pickEach(cli, catalog, projects))
    const sources = failing ? all.filter(({ health }) => health !== 'ok' && health !== 'never') : all
    const facts = await catalog.facts()
    const removed = await catalog.removed()
    const removedText =
      removed.length > 0 ? `Removed bundled projects: ${removed.length}. Get them back: relt catalog restore\n` : ''
    await show(cli, {
      body: { success: true, sources, facts, removed },
      rows: sources,
      columns,
      empty: failing ? 'Every source requested so far has answered.' : 'No project has a release source.',
      note: `${removedText}${factsText(facts)}\nFetch releases: relt catalog sync`,
    })
  },
})

function columns(io: Io, now: number): Column<SourceStatus>[] {
  const time = (timestamp: string | null) =>
    timestamp === null ? 'never' : when(timestamp, { isTerminal: io.isTerminal, now })
  return [
    { title: titles.project, value: member('slug'), min: 12 },
    { title: titles.source, value: member('kind') },
    {
      title: 'Health',
      value: member('health'),
      style: (cell, { health }) => paint(io, healthTone(health))(cell),
    },
    { title: 'Known until', value: ({ known_until }) => known_until ?? 'no releases' },
    { title: 'Answered', value: ({ answered_at }) => time(answered_at) },
    { title: titles.changed, value: ({ changed_at }) => time(changed_at), from: 80 },
    { title: titles.reason, value: ({ reason }) => reason ?? '', min: 16, from: 60 },
  ]
}

import type { ProjectPath } from '../../../contract/upgrade.ts'
import { drawColumns, drawSaid, paint } from '../../../render/terminal/draw.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { ownedColumns, stepColumns, stepNotes } from '../../../views/upgrade.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { catalogRemark } from '../../output/remarks.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'path',
  summary: 'Show the way of one project to another version, without a cluster',
  examples: ['relt upgrade path argo-cd 2.14.1', 'relt upgrade path cert-manager 1.12.0 --to 1.18'],
  args: [
    ['<project>', 'slug, name or image of the catalog'],
    ['<version>', 'what runs'],
  ],
  options: { '--to <version>': 'a version, a line or `latest` (default: the newest good release)' },
  run: async (cli, project, version, { to }) => {
    const path = await cli.call('getUpgradePath', { query: { project, version, ...(to && { to }) } })
    await show(cli, {
      body: path,
      rows: path.steps,
      columns: (io) => drawColumns(io, ownedColumns(stepColumns, path.steps)),
      text: (io) => render(io, path),
      ...(path.steps.length === 0 && { empty: path.because.join(' ') }),
      remarks: [catalogRemark(path.catalog_date, cli.context.now())],
    })
  },
})

function render(io: Io, { name, from, to, because, steps }: ProjectPath): string {
  const way = [from, ...steps.flatMap((step) => [...step.via, step.to])].join(' → ')
  const title = io.color.bold(to === null ? `${name} ${from}` : `${name} ${way}`)
  const parts = steps.map((step) => {
    const notes = [
      ...step.why.map((says) => `   ${says}\n`),
      ...stepNotes(step).map(({ tone, said }) => `   ${paint(io, tone)(drawSaid(io, said))}\n`),
    ]
    return `\n${io.color.bold(`${step.number}. ${[step.from, ...step.via, step.to].join(' → ')}`)}\n${notes.join('')}`
  })
  return `${title}\n${because.map((says) => `${plain(says)}\n`).join('')}${parts.join('')}`
}

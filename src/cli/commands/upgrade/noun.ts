import type { ProjectPath, UpgradeCheck } from '../../../contract/upgrade.ts'
import { ReltError } from '../../../errors.ts'
import { drawColumns, drawNote, drawSaid } from '../../../render/terminal/draw.ts'
import { renderTable } from '../../../render/terminal/table.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import {
  otherReasons,
  ownedColumns,
  partColumns,
  planHeadline,
  sortedParts,
  stepColumns,
  stepNotes,
  upgradeVerdict,
} from '../../../views/upgrade.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { catalogRemark } from '../../output/remarks.ts'
import { noun, verb } from '../../program/verb.ts'
import plan from './plan.ts'

const check = verb({
  name: 'check',
  summary: 'Check parts against another version of Kubernetes, without a cluster',
  examples: [
    'relt upgrade check --kubernetes 1.33 --to 1.35 keda@2.18.3 rancher@2.14.4',
    'relt upgrade check --kubernetes v1.33.10-eks-ba2e9a1 --to latest cilium@1.18.2 --json',
  ],
  args: [['<parts...>', 'project@version, each a slug, name or image of the catalog and what runs']],
  options: {
    '--kubernetes <version>': { help: 'the version of Kubernetes now', required: true },
    '--to <version>': { help: 'the version to go to, `latest` or `supported`', required: true },
  },
  run: async (cli, parts, { kubernetes, to }) => {
    const answer = await cli.call('checkUpgrade', { body: { kubernetes, to, parts: parts.map(toPart) } })
    await show(cli, {
      body: answer,
      rows: sortedParts(answer.parts),
      columns: (io) => drawColumns(io, ownedColumns(partColumns, [])),
      text: (io) => renderCheck(io, answer),
      headline: planHeadline(answer),
      remarks: [catalogRemark(answer.catalog_date, cli.context.now())],
    })
  },
})

/** Parses `keda@2.18.3` or `ghcr.io/kedacore/keda:2.18.3`. */
function toPart(text: string) {
  const [, project_slug, version] = /^(.+)[@:]([^@:/]+)$/.exec(text.replace(/@sha\d+:[0-9a-f]+$/, '')) ?? []
  if (project_slug !== undefined && version !== undefined) return { project_slug, version }
  throw new ReltError('usage', `${text} names no version.`, { hint: 'Write project@version, such as keda@2.18.3.' })
}

function renderCheck(io: Io, answer: UpgradeCheck) {
  const verdict = upgradeVerdict(answer)
  const table = renderTable(io, drawColumns(io, ownedColumns(partColumns, [])), sortedParts(answer.parts))
  const why = otherReasons(answer).map((said) => `  ${drawSaid(io, said)}.\n`)
  return `${drawSaid(io, verdict.words)}\n${why.join('')}\n${table}`
}

const path = verb({
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
      text: (io) => renderPath(io, path),
      ...(path.steps.length === 0 && { empty: path.because.join(' ') }),
      remarks: [catalogRemark(path.catalog_date, cli.context.now())],
    })
  },
})

function renderPath(io: Io, { name, from, to, because, steps }: ProjectPath) {
  const way = [from, ...steps.flatMap((step) => [...step.via, step.to])].join(' → ')
  const title = io.color.bold(to === null ? `${name} ${from}` : `${name} ${way}`)
  const parts = steps.map((step) => {
    const notes = [
      ...step.why.map((says) => `   ${says}\n`),
      ...stepNotes(step).map((note) => `   ${drawNote(io, note)}\n`),
    ]
    return `\n${io.color.bold(`${step.number}. ${[step.from, ...step.via, step.to].join(' → ')}`)}\n${notes.join('')}`
  })
  return `${title}\n${because.map((says) => `${plain(says)}\n`).join('')}${parts.join('')}`
}

export default noun({
  examples: [
    'relt upgrade plan --to 1.36',
    'relt upgrade check --kubernetes 1.33 --to 1.35 keda@2.18.3',
    'relt upgrade path argo-cd 2.14.1',
  ],
  verbs: [plan, check, path],
})

import type { UpgradeCheck } from '../../../contract/upgrade.ts'
import { ReltError } from '../../../errors.ts'
import { drawColumns, drawSaid } from '../../../render/terminal/draw.ts'
import { renderTable } from '../../../render/terminal/table.ts'
import {
  otherReasons,
  ownedColumns,
  partColumns,
  planHeadline,
  sortedParts,
  upgradeVerdict,
} from '../../../views/upgrade.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { catalogRemark } from '../../output/remarks.ts'
import { verb } from '../../program/verb.ts'

export default verb({
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
      text: (io) => render(io, answer),
      headline: planHeadline(answer),
      remarks: [catalogRemark(answer.catalog_date, cli.context.now())],
    })
  },
})

/** `keda@2.18.3`, `ghcr.io/kedacore/keda:2.18.3` */
function toPart(text: string): { project_slug: string; version: string } {
  const [, project_slug, version] = /^(.+)[@:]([^@:/]+)$/.exec(text.replace(/@sha\d+:[0-9a-f]+$/, '')) ?? []
  if (project_slug !== undefined && version !== undefined) return { project_slug, version }
  throw new ReltError('usage', `${text} names no version.`, { hint: 'Write project@version, such as keda@2.18.3.' })
}

function render(io: Io, answer: UpgradeCheck): string {
  const verdict = upgradeVerdict(answer)
  const table = renderTable(io, drawColumns(io, ownedColumns(partColumns, [])), sortedParts(answer.parts))
  const why = otherReasons(answer).map((said) => `  ${drawSaid(io, said)}.\n`)
  return `${drawSaid(io, verdict.words)}\n${why.join('')}\n${table}`
}

import type { UpgradePlan } from '../../../contract/upgrade.ts'
import { drawColumns, drawSaid, paint } from '../../../render/terminal/draw.ts'
import { renderTable } from '../../../render/terminal/table.ts'
import { plainText } from '../../../views/said.ts'
import { basisNote, stepColumns, stepNotes, upgradeVerdict } from '../../../views/upgrade.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { catalogRemark, note } from '../../output/remarks.ts'
import { verb } from '../../program/verb.ts'
import { chooseCluster, clusterOptions, clusterQuery } from '../reports/cluster.ts'

export default verb({
  name: 'plan',
  summary: 'Plan the upgrade of a cluster to another Kubernetes, in order',
  examples: [
    'relt upgrade plan',
    'relt upgrade plan --cluster shop --to 1.36',
    'relt upgrade plan --to latest --explain',
    'relt upgrade plan --to supported -o markdown',
  ],
  options: {
    ...clusterOptions(),
    '--to <version>': 'version of Kubernetes, `latest` or `supported` (default: the next minor version)',
    '--explain': 'show what breaks, the way back and the facts behind each step',
  },
  epilog: '`relt plan` is another command: it shows what `relt apply` would change.',
  run: async (cli, options) => {
    const { to, explain = false } = options
    const client = await cli.context.client()
    const chosen = await chooseCluster(cli, options)
    const plan = await client.call('getUpgradePlan', { query: { ...clusterQuery(chosen), ...(to && { to }) } })
    await show(cli, {
      body: plan,
      rows: plan.steps,
      columns: (io) => drawColumns(io, stepColumns),
      text: (io) => render(io, plan, explain),
      remarks: [note(plainText(basisNote(plan))), catalogRemark(plan.catalog_date, cli.context.now())],
    })
  },
})

function render(io: Io, plan: UpgradePlan, explain: boolean): string {
  const { words, gaps } = upgradeVerdict(plan)
  const why = gaps.map((said) => `  ${drawSaid(io, said)}\n`).join('')
  const table = renderTable(io, drawColumns(io, stepColumns), plan.steps)
  const missing = plan.missing.map(({ what, how }) => `${io.color.dim(`Not collected: ${what}. ${how}`)}\n`).join('')
  const details = explain ? plan.steps.map((step) => renderStep(io, step)).join('') : ''
  return `${drawSaid(io, words)}\n${why}\n${table}${details}\n${missing}`
}

function renderStep(io: Io, step: UpgradePlan['steps'][number]): string {
  const title = io.color.bold(`${step.number}. ${step.name} ${step.from} → ${step.to}`)
  const notes = stepNotes(step).map(({ tone, said }) => `   ${paint(io, tone)(drawSaid(io, said))}\n`)
  const facts = step.evidence.map(({ says, source, as_of }) => {
    return `   ${io.color.dim(`${says} ${[source, as_of].filter(Boolean).join(', ')}`)}\n`
  })
  return `\n${title}\n${notes.join('')}${facts.join('')}`
}

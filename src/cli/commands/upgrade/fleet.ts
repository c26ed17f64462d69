import stringWidth from 'fast-string-width'
import type { FleetStep, FleetUpgrade } from '../../../contract/upgrade-fleet.ts'
import { ReltError } from '../../../errors.ts'
import { drawColumns, drawSaid } from '../../../render/terminal/draw.ts'
import { renderTable } from '../../../render/terminal/table.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { plainText } from '../../../views/said.ts'
import {
  decidingLines,
  fleetGroup,
  fleetStepColumns,
  fleetStepLines,
  fleetVerdict,
  plannedColumns,
} from '../../../views/upgrade-fleet.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { catalogRemark } from '../../output/remarks.ts'
import type { Cli } from '../../program/command.ts'
import { stepsOfOwner } from './owned.ts'

/** Throws `usage` if a cluster or project is also given. */
export async function planFleet(
  cli: Cli,
  projects: string[],
  options: Partial<Record<'cluster' | 'environment' | 'to' | 'label' | 'owner', string>>,
) {
  const { cluster, environment, to, label } = options
  if (cluster || environment || projects.length > 0) {
    throw new ReltError('usage', '--all and --label plan several clusters.', {
      hint: 'Leave out --cluster, --environment and names of projects.',
    })
  }
  const { environments } = await cli.context.settings()
  const whole = await cli.call('getFleetUpgrade', {
    query: { ...(to && { to }), ...(label && { label }), ...(environments && { environments }) },
  })
  const { answer, notes } = stepsOfOwner(whole, options.owner)
  await show(cli, {
    body: answer,
    rows: answer.steps,
    columns: (io) => drawColumns(io, fleetStepColumns),
    text: (io) => render(io, answer),
    ...(answer.summary.clusters === 0 && {
      empty: label ? 'No cluster has this label.' : 'No clusters yet. Upload a report: relt reports upload FILE',
    }),
    remarks: [...notes, catalogRemark(answer.catalog_date, cli.context.now())],
  })
}

const shownColumns = plannedColumns.filter(({ key }) => key !== 'why')

function render(io: Io, answer: FleetUpgrade) {
  const clusters = renderTable(io, drawColumns(io, shownColumns), answer.clusters)
  const reasons = decidingLines(answer.clusters).map((said) => `${drawSaid(io, said)}\n`)
  const steps = [...Map.groupBy(answer.steps, fleetGroup)].map(
    ([title, own]) => `\n${io.color.bold(plain(title))}\n${own.map((step) => renderStep(io, step)).join('')}`,
  )
  return `${drawSaid(io, fleetVerdict(answer))}\n\n${clusters}${reasons.length > 0 ? '\n' : ''}${reasons.join('')}${steps.join('')}`
}

/** In one line if it fits. */
function renderStep(io: Io, step: FleetStep) {
  const lines = fleetStepLines(step)
  const [first, ...others] = lines.map((said) => drawSaid(io, said))
  const whole = `   ${lines.map(plainText).join('  ')}`
  if (lines.length === 2 && stringWidth(whole) <= io.width) return `   ${first}  ${others[0]}\n`
  return `   ${first}\n${others.map((line) => `      ${line}\n`).join('')}`
}

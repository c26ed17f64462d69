import { drawColumns, drawNote, drawSaid } from '../../render/html/draw.ts'
import { clean, html } from '../../render/html/markup.ts'
import { table } from '../../render/html/table.ts'
import { basisNote, ownedColumns, partColumns, planNotes, sortedParts, stepColumns } from '../../views/upgrade.ts'
import { planDetails, planVerdict } from '../upgrade-steps.ts'
import type { RunReport } from './report.ts'
import { missingText } from './words.ts'

/** Steps for the next minor version of Kubernetes, in order. */
export function renderUpgrade({ upgrade, redactor }: RunReport) {
  if (redactor.kinds.length > 0)
    return missingText('The plan names what runs, so that a redacted report leaves it out.')
  if (!upgrade?.found) return missingText(upgrade?.missing ?? 'No plan was asked for.')
  const plan = upgrade.found
  return html`${planVerdict(plan)}
<p class="note">${drawSaid(basisNote(plan))}. Facts of ${clean(plan.catalog_date, 10)}.</p>
${plan.steps.length > 0 && table(drawColumns(ownedColumns(stepColumns, plan.steps)), plan.steps, { caption: 'Steps, in order' })}
${planDetails(plan.steps)}
${plan.parts.length > 0 && table(drawColumns(ownedColumns(partColumns, plan.parts)), sortedParts(plan.parts), { caption: 'Parts close to Kubernetes' })}
${planNotes(plan).map((note) => drawNote(note))}`
}

import type { UpgradeStep } from '../contract/upgrade.ts'
import { drawNote, drawSaid, type Ink, plainInk } from '../render/html/draw.ts'
import { clean, html, link, type Markup } from '../render/html/markup.ts'
import { stepNotes, stepTitle } from '../views/upgrade.ts'

/** What breaks, what to do by hand and the facts, a fold for each step. */
export function planDetails(steps: readonly UpgradeStep[], ink: Ink = plainInk): Markup {
  return html`${steps.map(
    (step) => html`<details><summary>${drawSaid(stepTitle(step), ink)}</summary>
${stepNotes(step).map((note) => drawNote(note, ink))}
${step.evidence.map(({ says, source, as_of }) => html`<p class="note">${clean(says, 500)} ${source && link(source, 'source')}${as_of && html`, ${clean(as_of, 10)}`}</p>`)}
</details>
`,
  )}`
}

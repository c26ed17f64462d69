import type { UpgradeStep } from '../contract/upgrade.ts'
import { drawNote, drawSaid, drawVerdict, plainInk } from '../render/html/draw.ts'
import { clean, html, link } from '../render/html/markup.ts'
import { stepNotes, stepTitle, upgradeVerdict } from '../views/upgrade.ts'

/** The verdict, and one line for each reason. */
export function planVerdict(plan: Parameters<typeof upgradeVerdict>[0], ink = plainInk) {
  const { gaps, ...verdict } = upgradeVerdict(plan)
  return html`${drawVerdict({ ...verdict, gaps: [] }, ink)}
${gaps.length > 0 && html`<ul>${gaps.map((said) => html`<li>${drawSaid(said, ink)}.</li>\n`)}</ul>`}`
}

/** Breaking changes, manual actions and facts, collapsible for each step. */
export function planDetails(steps: readonly UpgradeStep[], ink = plainInk) {
  if (steps.length === 0) return html``
  return html`<p class="note">What each step breaks, what to do by hand, the way back and the sources:</p>
${steps.map(
  (step) => html`<details><summary>${drawSaid(stepTitle(step), ink)}</summary>
${stepNotes(step).map((note) => drawNote(note, ink))}
${step.evidence.map(({ says, source, as_of }) => html`<p class="note">${clean(says, 500)} ${source && link(source, 'source')}${as_of && html`, ${clean(as_of, 10)}`}</p>`)}
</details>
`,
)}`
}

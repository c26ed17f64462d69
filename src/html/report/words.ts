import { drawSaid } from '../../render/html/draw.ts'
import { clean, html } from '../../render/html/markup.ts'
import { unknownMark } from '../../views/said.ts'

/** Shown instead of a missing part. */
export function missingText(reason: string) {
  return html`<p>${drawSaid(unknownMark)} ${clean(reason, 600)}</p>`
}

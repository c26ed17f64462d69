import { drawSaid } from '../../render/html/draw.ts'
import { breakable, clean, html, type Markup } from '../../render/html/markup.ts'
import { unknownMark } from '../../views/said.ts'

/** Shown instead of a missing part. */
export function missingText(reason: string): Markup {
  return html`<p>${drawSaid(unknownMark)} ${clean(reason, 600)}</p>`
}

/** The value that a scanner reports; empty for a dash, which some write for no value. */
export const measured = (value: string | null): string => (value === null || value === '-' ? '' : value)

export function placeCells({ namespace, resource }: { namespace: string | null; resource: string | null }) {
  return { namespace: clean(namespace, 253) || null, resource: resource ? breakable(clean(resource, 300)) : null }
}

import type { FindingSeverity } from '../../contract/scan-finding.ts'
import { breakable, clean, html, type Markup } from '../../render/html/markup.ts'

/** With a word, never a color alone. */
export function severityMark(severity: FindingSeverity | null): Markup {
  return severity === null || severity === 'unknown'
    ? html`unknown`
    : html`<span class="severity ${severity}">${severity}</span>`
}

/** In place of a part that is missing. */
export function missingText(reason: string): Markup {
  return html`<p><span class="warn">n/a</span> ${clean(reason, 600)}</p>`
}

/** The value that a scanner reports; empty for a dash, which some write when they have none. */
export const measured = (value: string | null): string => (value === null || value === '-' ? '' : value)

/** `namespace resource`, or `cluster` for what belongs to neither. */
export function placeCells({ namespace, resource }: { namespace: string | null; resource: string | null }) {
  return { namespace: clean(namespace, 253) || '-', resource: resource ? breakable(clean(resource, 300)) : '-' }
}

import type { Grid } from './formats.ts'
import { plainLines } from './io.ts'

/** A table in GitHub's Markdown, with markup escaped. */
export function renderMarkdown({ titles, aligns, rows }: Grid): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`
  const rule = aligns.map((align) => (align === 'right' ? '---:' : '---'))
  const head = titles.length > 0 ? [titles.map(escapeCell), rule] : []
  return [...head, ...rows.map((row) => row.map(escapeCell))].map(line).join('')
}

/** A heading, and a list of the sentences below it. */
export function renderHeadline([title, ...lines]: string[]): string {
  const list = lines.map((line) => `- ${escapeCell(line)}\n`).join('')
  return `### ${escapeCell(title!)}\n\n${list}${list && '\n'}`
}

function escapeCell(text: string): string {
  if (/^https?:\/\/[^\s<>|\\]+$/.test(text)) return `<${text}>`
  const lines = plainLines(text).trim().split('\n')
  return lines.map((line) => line.replace(/[\\`*_[\]<>&|~]/g, '\\$&')).join('<br>')
}

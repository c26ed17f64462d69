import type { Grid } from './formats.ts'
import { plainLines } from './io.ts'

/** A table in GitHub's Markdown, with markup escaped. */
export function renderMarkdown({ titles, aligns, rows }: Grid) {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`
  const rule = aligns.map((align) => (align === 'right' ? '---:' : '---'))
  const head = titles.length > 0 ? [titles.map(escapeMarkdown), rule] : []
  return [...head, ...rows.map((row) => row.map(escapeMarkdown))].map(line).join('')
}

/** A heading, and a list of the sentences below it. */
export function renderHeadline([title, ...lines]: string[]) {
  const list = lines.map((line) => `- ${escapeMarkdown(line)}\n`).join('')
  return `### ${escapeMarkdown(title!)}\n\n${list}${list && '\n'}`
}

/** One line of text, with markup escaped. */
export function escapeMarkdown(text: string) {
  if (/^https?:\/\/[^\s<>|\\]+$/.test(text)) return `<${text}>`
  return plainLines(text)
    .trim()
    .split('\n')
    .map((line) => line.replace(/[\\`*_[\]<>&|~]/g, '\\$&'))
    .join('<br>')
}

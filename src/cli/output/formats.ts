import type { Column } from '../../render/terminal/table.ts'

/** Rows of full cells, for tabular data formats. */
export interface Grid {
  /** Empty: no header. */
  titles: string[]
  aligns: Column<unknown>['align'][]
  rows: string[][]
}

/** `Last used`, `last-used` and `last_used` are equal. */
export const columnKey = (title: string) => title.toLowerCase().replace(/[^a-z0-9.]+/g, '_')

/** Formats that print a list as rows of cells. Renderers are loaded on demand. */
export const gridFormats: Record<string, () => Promise<(grid: Grid) => string>> = {
  csv: async () => (await import('./csv.ts')).renderCsv,
  markdown: async () => (await import('./markdown.ts')).renderMarkdown,
}

/** `table` and `wide` are for users, others are data formats. */
export const formats = ['table', 'wide', 'json', 'yaml', ...Object.keys(gridFormats)]

/** Throws an `Error` with the choices. */
export function readFormat(text: string) {
  if (formats.includes(text)) return text
  throw new Error(`one of ${formats.join(', ')}`)
}

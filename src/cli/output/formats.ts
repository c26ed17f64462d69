import type { Column } from '../../render/terminal/table.ts'

/** Rows of whole cells, for formats that are tables of data. */
export interface Grid {
  /** Empty: no line of names. */
  titles: string[]
  aligns: Column<unknown>['align'][]
  rows: string[][]
}

/** Formats that print a list as rows of cells. A renderer loads when its format is asked for. */
export const gridFormats: Record<string, () => Promise<(grid: Grid) => string>> = {
  csv: async () => (await import('./csv.ts')).renderCsv,
  tsv: async () => (await import('./tsv.ts')).renderTsv,
  markdown: async () => (await import('./markdown.ts')).renderMarkdown,
}

/** `table` and `wide` are for people, the others are data. `name` prints only what names each row in other commands. */
export const formats = ['table', 'wide', 'name', 'json', 'yaml', ...Object.keys(gridFormats)]

/** Throws an `Error` with the choices. */
export function readFormat(text: string): string {
  if (formats.includes(text)) return text
  throw new Error(`one of ${formats.join(', ')}`)
}

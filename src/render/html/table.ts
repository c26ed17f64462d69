import { count } from '../../util/words.ts'
import { html, type Markup, nothing } from './markup.ts'

export interface HtmlColumn<Row> {
  title: string
  /** Null for an empty cell. */
  value: (row: Row) => Markup | string | number | null
  align?: 'right' | undefined
}

/** A column whose cells are also available as data. */
export interface TextColumn<Row> extends HtmlColumn<Row> {
  text: (row: Row) => string | number | boolean | null | undefined
}

interface TableOptions {
  caption: string
  /** The table shows the first `most` rows. */
  most?: number
  /** Where to find the others. */
  rest?: Markup
  /** The table is one page of a longer list, so sorting its rows would be misleading. */
  isPart?: boolean
}

/** Tables with at least this many columns also become blocks on medium screens. */
const wideFrom = 5

/** On a narrow screen, rows become blocks with each column's title next to its cell. */
export function table<Row>(all: HtmlColumn<Row>[], rows: Row[], options: TableOptions): Markup {
  const { caption, most = 500, rest = nothing, isPart = false } = options
  const shown = rows.slice(0, most)
  const columns = all.filter(({ value }) => shown.length === 0 || shown.some((row) => value(row) !== null))
  const more = rows.length - most
  return html`<table${columns.length > wideFrom && html` class="wide"`}${isPart && html` data-part`}>
<caption>${caption}</caption>
<thead><tr>${columns.map(({ title, align }) => html`<th scope="col"${toClass(align)}>${title}</th>`)}</tr></thead>
<tbody>
${shown.map(
  (row) => html`<tr>${columns.map((column) => cell(column, row))}</tr>
`,
)}</tbody>
</table>${more > 0 && html`<p class="note">${count(more, 'more row')} ${more === 1 ? 'is' : 'are'} left out. ${rest}</p>`}`
}

function cell<Row>({ title, value, align }: HtmlColumn<Row>, row: Row) {
  const content = value(row)
  // Rows shown as blocks omit the dash.
  const kind = content === null ? html` class="none"` : toClass(align)
  return html`<td data-title="${title}"${kind}>${content ?? '-'}</td>`
}

function toClass(align: 'right' | undefined) {
  return align === 'right' && html` class="number"`
}

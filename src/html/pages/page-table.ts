import { clean, html, name } from '../../render/html/markup.ts'
import { table } from '../../render/html/table.ts'
import { writeCsv } from '../../util/csv.ts'
import { count, number } from '../../util/words.ts'
import { titles } from '../../views/titles.ts'
import { numberOrNone } from '../../views/view.ts'
import type { PageColumn, PageTable, Paging, View } from './view.ts'
import { timeOrNever } from './words.ts'

/** Rows per page of a list. */
export const rowsOfPage = 50
/** Rows per request of a list's download, and the maximum in total. */
const rowsOfCall = 100
const mostDownloaded = 5000

/** The page number in the URL. */
export function toPage({ query }: View) {
  const page = Number(query.page ?? 1)
  return Number.isSafeInteger(page) && page >= 1 ? page : 1
}

/** The requested page of a list that is in memory. */
export function pageRows<Row>(view: View, all: Row[]): Required<Pick<PageTable<Row>, 'rows' | 'paging'>> {
  const page = toPage(view)
  const slice = (number: number, size: number) => all.slice((number - 1) * size, number * size)
  const total_pages = Math.ceil(all.length / rowsOfPage)
  return {
    rows: slice(page, rowsOfPage),
    paging: { page, per_page: rowsOfPage, total: all.length, total_pages, list: async (...of) => slice(...of) },
  }
}

type Listed<Row> = Omit<Paging<Row>, 'list'> & { items: Row[] }

/** The requested page of a list that the service pages: the answer, and its rows for a table. */
export async function listPage<Found extends Listed<Found['items'][number]>>(
  view: View,
  ask: (paging: Pick<Paging<unknown>, 'page' | 'per_page'>) => Promise<Found>,
  perPage = rowsOfPage,
) {
  const found = await ask({ page: toPage(view), per_page: perPage })
  const list = async (page: number, per_page: number) => (await ask({ page, per_page })).items
  return { found, listed: { rows: found.items, json: found, paging: { ...found, list } } }
}

/** A column of timestamps. */
export const timeColumn = <K extends string>(title: string, field: K): PageColumn<Record<K, string | null>> => ({
  title,
  value: (row) => timeOrNever(row[field]),
  text: (row) => row[field],
})

/** A column with names chosen by users. */
export const nameColumn = <K extends string>(title: string, field: K): PageColumn<Record<K, string>> => ({
  title,
  value: (row) => name(row[field]),
  text: (row) => row[field],
})

/** A column of projects of the catalog. */
export const projectColumn = (view: View): PageColumn<{ product_id: number; name: string }> => ({
  title: titles.project,
  value: ({ product_id, name }) => view.link(`/projects/${product_id}`, clean(name, 200)),
  text: ({ name }) => name,
})

export const countColumn = <Row>(title: string, of: (row: Row) => number | null | undefined): PageColumn<Row> => ({
  title,
  value: (row) => numberOrNone(of(row)),
  text: of,
  align: 'right',
})

/** Shows a table, and registers it for downloads. */
export function showTable<Row>(view: View, shown: PageTable<Row>) {
  view.tables.push(shown)
  const { id, caption, columns, rows, empty, paging, most } = shown
  if (rows.length === 0) {
    const isBeyond = paging !== undefined && paging.page > 1 && paging.total > 0
    return isBeyond
      ? html`<p>Page ${number(paging.page)} has no rows: there ${paging.total_pages === 1 ? 'is' : 'are'} ${count(paging.total_pages, 'page')}. <a href="${view.here({})}">First page</a></p>`
      : html`<p>${empty}</p>`
  }
  const isPaged = (paging?.total_pages ?? 1) > 1
  return html`${table(columns, rows, { caption, isPart: isPaged, rest: html`Download them as CSV.`, ...(most && { most }) })}
<div class="under">${isPaged && pages(view, caption, paging!)}<p class="downloads">${csvLink(view, shown)} ${html`<a href="${view.here({ page: paging?.page, table: id, format: 'json' })}">JSON</a>`}</p></div>`
}

function csvLink(view: View, { id, paging, caption }: PageTable) {
  const isCut = paging !== undefined && paging.total > mostDownloaded
  const label = isCut ? `CSV of the first ${number(mostDownloaded)} rows` : 'CSV'
  return html`<a href="${view.here({ table: id, format: 'csv' })}" aria-label="${label}: ${caption}">${label}</a>`
}

function pages(view: View, caption: string, { page, per_page, total, total_pages }: Paging<unknown>) {
  const first = (page - 1) * per_page + 1
  const last = Math.min(page * per_page, total)
  const to = (wanted: number, label: string, rel: string) =>
    html`<a href="${view.here({ page: wanted })}" rel="${rel}">${label}</a>`
  return html`<nav class="pages" aria-label="Pages: ${caption}"><span>${number(first)} to ${number(last)} of ${count(total, 'row')}</span> ${page > 1 && to(page - 1, 'Previous', 'prev')} ${page < total_pages && to(page + 1, 'Next', 'next')}</nav>`
}

/** The table as CSV: a header line, then its rows. */
export async function formatCsv({ columns, rows, paging }: PageTable) {
  const all = paging ? await everyRow(paging) : rows
  const names = columns.map(({ title }) => title.toLowerCase().replace(/[^a-z0-9]+/g, '_'))
  return writeCsv([names, ...all.map((row) => columns.map(({ text, value }) => String((text ?? value)(row) ?? '')))])
}

async function everyRow({ list, total, most = rowsOfCall }: Paging<unknown>) {
  const wanted = Math.min(total, mostDownloaded)
  const rows: unknown[] = []
  for (let page = 1; rows.length < wanted; page++) {
    const more = await list(page, most)
    rows.push(...more)
    if (more.length < most) break
  }
  return rows.slice(0, mostDownloaded)
}

import { InvalidArgumentError } from 'commander'
import { defined } from '../../util/defined.ts'
import { number } from '../../util/words.ts'
import type { OptionsOf } from '../program/options.ts'
import type { Io } from './io.ts'

/** Null if the server does not return the total. */
export interface PageCounts {
  page: number | null
  total_pages: number | null
  total: number | null
  per_page?: number | null
}

export const pageOptions = pageOptionsFrom(20)

/** `rows`: default of `--limit`. */
function pageOptionsFrom(rows: number) {
  return {
    '-n, --limit <count>': { help: `rows to show, at most 100 (default: ${rows})`, parse: wholeNumber(100) },
    '-p, --page <number>': { help: 'page to show (default: 1)', parse: wholeNumber(1_000_000) },
  }
}

/** A list of this many lines fits a terminal of 24, including messages around it. */
const rowsOfScreen = 15
export const screenOptions = pageOptionsFrom(rowsOfScreen)

export type PageOptions = OptionsOf<typeof pageOptions>

/** Parser of options with a whole number from 1. */
export function wholeNumber(max: number): (text: string) => number {
  return (text) => {
    if (/^[1-9]\d{0,8}$/.test(text) && Number(text) <= max) return Number(text)
    throw new InvalidArgumentError(`Use a whole number from 1 to ${max}.`)
  }
}

export const screenQuery = (options: PageOptions) => pageQuery({ limit: rowsOfScreen, ...options })

export function pageQuery({ limit, page }: PageOptions) {
  return defined({ per_page: limit, page })
}

/** States that there are more pages, or that the page is past the last. */
export function renderPageNote(io: Io, counts: PageCounts) {
  const { page, total_pages: pages } = counts
  if (page === null || pages === null || (page === 1 && pages <= 1)) return
  const shown = page > pages ? `Page ${page} is past the last page, ${pages}` : shownText(counts)
  io.err(io.errColor.dim(`${shown}.\n`))
}

/** `Showing 20 of 45. Next: --page 2`, or `Showing 21 to 40 of 45. Next: --page 3`. */
function shownText({ page, total_pages, total, per_page }: PageCounts) {
  const next = page! < total_pages! ? `. Next: --page ${page! + 1}` : ''
  if (total === null || !per_page) return `Page ${number(page!)} of ${number(total_pages!)}${next}`
  const [first, last] = [(page! - 1) * per_page + 1, Math.min(page! * per_page, total)]
  return `Showing ${page === 1 ? number(last) : `${number(first)} to ${number(last)}`} of ${number(total)}${next}`
}

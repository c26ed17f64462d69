import { InvalidArgumentError } from 'commander'
import { number } from '../../util/words.ts'
import type { OptionsOf } from '../program/options.ts'
import type { Io } from './io.ts'

/** Null: the server does not say how many there are. */
export interface PageCounts {
  page: number | null
  total_pages: number | null
  total: number | null
}

export const pageOptions = {
  '-n, --limit <count>': { help: 'rows to show, at most 100 (default: 20)', parse: wholeNumber(100) },
  '-p, --page <number>': { help: 'page to show (default: 1)', parse: wholeNumber(1_000_000) },
} as const

export type PageOptions = OptionsOf<typeof pageOptions>

/** For options that take a whole number from 1 on. */
export function wholeNumber(max: number): (text: string) => number {
  return (text) => {
    if (/^[1-9]\d{0,8}$/.test(text) && Number(text) <= max) return Number(text)
    throw new InvalidArgumentError(`Use a whole number from 1 to ${max}.`)
  }
}

export function pageQuery({ limit, page }: PageOptions) {
  return { ...(limit !== undefined && { per_page: limit }), ...(page !== undefined && { page }) }
}

/** Tells that there is more than the page shows, or that it lies behind the last. */
export function renderPageNote(io: Io, { page, total_pages, total }: PageCounts): void {
  if (page === null || total_pages === null) return
  if (page === 1 && total_pages <= 1) return
  const note =
    page > total_pages
      ? `Page ${page} is past the last page`
      : `Page ${number(page)} of ${number(total_pages)}${total === null ? '' : `, ${number(total)} in total`}`
  io.err(io.errColor.dim(`${note}. Use --page and --limit.\n`))
}

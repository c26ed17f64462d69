import { type Command, InvalidArgumentError } from 'commander'
import { number } from '../../util/words.ts'
import type { Io } from './io.ts'

/** Null: the server does not say how many there are. */
export interface PageCounts {
  page: number | null
  total_pages: number | null
  total: number | null
}

export interface PageOptions {
  limit?: number
  page?: number
}

export function addPageOptions(command: Command): Command {
  return command
    .option('-n, --limit <count>', 'rows per page, at most 100 (default: 20)', wholeNumber(100))
    .option('-p, --page <number>', 'page to show (default: 1)', wholeNumber(1_000_000))
}

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

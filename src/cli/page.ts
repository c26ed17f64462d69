import { type Command, InvalidArgumentError } from 'commander'
import type { Io } from './io.ts'

export interface PageOptions {
  limit?: number
  page?: number
}

export function addPageOptions(command: Command): Command {
  return command
    .option('-n, --limit <count>', 'rows on a page, at most 100 (default: 20)', wholeNumber)
    .option('-p, --page <number>', 'page to show (default: 1)', wholeNumber)
}

/** For options that take a whole number from 1 on. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('A whole number from 1 on is needed.')
  return Number(text)
}

export function pageQuery({ limit, page }: PageOptions) {
  return { ...(limit !== undefined && { per_page: limit }), ...(page !== undefined && { page }) }
}

/** Tells that there is more than the page shows. */
export function renderPageNote(io: Io, found: { page: number; total_pages: number; total: number }): void {
  if (found.total_pages <= 1) return
  io.err(
    io.errColor.dim(
      `Page ${found.page} of ${found.total_pages}, ${found.total} in all; more with --page or --limit.\n`,
    ),
  )
}

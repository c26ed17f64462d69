import type { Cli } from './command.ts'
import { type Io, plain } from './io.ts'
import { printJson } from './json.ts'
import { renderPageNote } from './page.ts'
import { print } from './print.ts'
import type { Column } from './table.ts'

/** What a verb found, for every form in which it can be asked for. */
export interface Found<Row> {
  /** The contract's answer, unchanged. */
  body: unknown
  /** A list has rows and columns; without them the answer is one thing, and `text` shows it. */
  rows?: Row[]
  columns?: (io: Io, now: number) => Column<Row>[]
  /** What people see in place of the bare table. */
  text?: (io: Io, now: number) => string | Promise<string>
  /** Said when there are no rows. */
  empty?: string
  /** Of a list in pages: people are told that there is more. */
  page?: { page: number; total_pages: number; total: number }
}

/** Prints what was found in the form that was asked for: only data goes to standard output. */
export async function show<Row>({ context, io, json }: Cli, found: Found<Row>): Promise<void> {
  if (json) return printJson(io, found.body)
  const { rows, columns, text, empty, page } = found
  if (rows?.length === 0 && empty !== undefined && !(page && page.total > 0)) return void io.err(`${plain(empty)}\n`)
  if (text) print(io, await text(io, context.now()))
  else if (rows && columns) {
    const { renderTable } = await import('./table.ts')
    print(io, renderTable(io, columns(io, context.now()), rows))
  }
  if (page) renderPageNote(io, page)
}

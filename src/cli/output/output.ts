import type { Column } from '../../render/terminal/table.ts'
import { plain } from '../../render/terminal/terminal.ts'
import type { Cli } from '../program/command.ts'
import { gridFormats } from './formats.ts'
import { type Io, plainLines } from './io.ts'
import { renderJson } from './json.ts'
import { type PageCounts, renderPageNote } from './page.ts'
import { fold } from './print.ts'
import { type Remarks, renderRemarks } from './remarks.ts'

/** Result of a verb, for every output format. */
export interface CommandResult<Row> {
  /** The contract's answer, unchanged. */
  body: unknown
  /** Rows of a list, with columns; without them the answer is a single object, and `text` shows it. */
  rows?: Row[]
  columns?: (io: Io, now: number) => Column<Row>[]
  /** Text for terminals instead of the plain table. */
  text?: (io: Io, now: number) => string | Promise<string>
  /** First line of a Markdown table, and sentences below it. */
  headline?: string[]
  /** Markdown instead of the table of all members. */
  markdown?: () => string | Promise<string>
  /** Text to copy, which is not wrapped, because a wrapped command does not work. */
  verbatim?: string
  /** Coverage of the answer: shown below the table, or before `empty`. Data formats have it in `body`. */
  remarks?: Remarks
  /** Message if there are no rows. */
  empty?: string
  /** Message for users after the output: how to see more, or a reason. */
  note?: string | string[] | false | null | undefined
  /** Page counts of a list, to mention further pages. */
  page?: PageCounts
}

/** The value of a column: a member of its row. */
export const member =
  <K extends string>(name: K) =>
  ({ [name]: value }: { readonly [N in K]: string | number | null }) =>
    value === null ? null : String(value)

/** Prints a result in the requested format: only data goes to standard output. */
export async function show<Row>(cli: Cli, found: CommandResult<Row>) {
  const { io, format, jq } = cli
  const { body, remarks = [], empty, note, page } = found
  if (jq !== undefined) {
    const { runJq } = await import('./jq.ts')
    return io.out(await runJq(io, body, jq))
  }
  if (format === 'json') return io.out(renderJson(io, body))
  if (format === 'yaml') return io.out((await import('./yaml.ts')).renderYaml(io, body))
  const arranged = await arrangeFor(cli, found)
  const none = found.rows?.length === 0 && empty !== undefined && !(page?.total && page.total > 0)
  if (format === 'table' && cli.table.headers) {
    const text = none ? '' : await renderText(cli, arranged)
    io.out(text + fold(io, renderRemarks(io, remarks)))
  } else {
    io.out(none && format === 'table' ? '' : await renderData(cli, arranged))
    io.err(renderRemarks({ color: io.errColor }, remarks))
  }
  if (none) return io.err(`${plain(empty)}\n`)
  if (page) renderPageNote(io, page)
  if (note && format === 'table') for (const line of [note].flat()) io.err(`${io.errColor.dim(plain(line))}\n`)
}

/** Applies `--columns`, `--sort-by` and `--no-headers`, which replace a command's own view by the plain table. */
async function arrangeFor<Row>({ context, io, table }: Cli, found: CommandResult<Row>): Promise<CommandResult<Row>> {
  const { rows, columns, page } = found
  const asked = [table.columns !== undefined && '--columns', table.sortBy !== undefined && '--sort-by'].filter(Boolean)
  if (asked.length === 0 && table.headers) return found
  if (!rows || !columns) {
    if (asked.length > 0) io.err(`${asked.join(' and ')} ignored: this is not a table.\n`)
    return found
  }
  if (table.sortBy !== undefined && page?.total_pages && page.total_pages > 1) io.err('Only this page is sorted.\n')
  const { arrange } = await import('./arrange.ts')
  const { text: _, ...bare } = found
  return { ...bare, ...arrange(io, context.now(), { rows, columns }, table) }
}

async function renderData<Row>(cli: Cli, found: CommandResult<Row>) {
  const { io, context, format, table } = cli
  if (format === 'table') return renderText(cli, found)
  if (format === 'markdown' && found.markdown) return found.markdown()
  const [{ toGrid }, render] = await Promise.all([import('./grid.ts'), gridFormats[format]!()])
  const grid = toGrid(io, context.now(), found)
  const text = render(table.headers ? grid : { ...grid, titles: [] })
  if (format !== 'markdown' || !found.headline) return text
  const { renderHeadline } = await import('./markdown.ts')
  return `${renderHeadline(found.headline)}${text}`
}

async function renderText<Row>({ context, io, table }: Cli, found: CommandResult<Row>) {
  const { rows, columns, text, verbatim } = found
  if (verbatim !== undefined) return io.isTerminal ? plainLines(verbatim) : verbatim
  if (text) return fold(io, await text(io, context.now()))
  if (!rows || !columns) return ''
  const { renderTable } = await import('../../render/terminal/table.ts')
  return fold(io, renderTable(io, columns(io, context.now()), rows, table))
}

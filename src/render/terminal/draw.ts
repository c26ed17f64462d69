import { when } from '../../util/ago.ts'
import { type Said, type Tone, toned } from '../../views/said.ts'
import { verdictTones } from '../../views/verdict.ts'
import type { Figure, Note, ViewColumn, ViewVerdict } from '../../views/view.ts'
import type { Column } from './table.ts'
import { plain, type Terminal } from './terminal.ts'

/** The only place that maps tones to terminal colors. */
export function paint({ color }: Pick<Terminal, 'color'>, tone: Tone | undefined): (text: string) => string {
  const paints: Record<Tone, (text: string) => string> = {
    good: color.green,
    bad: color.red,
    warn: color.yellow,
    soft: color.dim,
    strong: color.bold,
    critical: (text) => color.bold(color.red(text)),
    high: color.red,
    medium: color.yellow,
    low: color.blue,
    info: color.dim,
    unknown: color.yellow,
  }
  return tone === undefined ? (text) => text : paints[tone]
}

export const drawSaid = (terminal: Pick<Terminal, 'color'>, said: Said) =>
  merged(said)
    .map((piece) => paint(terminal, piece.tone)(plain(piece.text).replaceAll('\u2212', '-')))
    .join('')

/** Merges adjacent pieces with the same tone, to set it once. */
function merged(said: Said) {
  const all: Said = []
  for (const piece of said) {
    const last = all.at(-1)
    if (last && last.tone === piece.tone) last.text += piece.text
    else all.push({ ...piece })
  }
  return all
}

/** The words of an answer, in the tone of its verdict. */
export const drawVerdict = (terminal: Pick<Terminal, 'color'>, { state, words }: ViewVerdict) =>
  drawSaid(terminal, toned(verdictTones[state], words))

export const drawNote = (terminal: Pick<Terminal, 'color'>, { tone, said }: Note): string =>
  paint(terminal, tone)(drawSaid(terminal, said))

/** `3 new`, or `5 outdated (2 major)`. */
export function drawFigure(terminal: Pick<Terminal, 'color'>, { title, value, tone, more = [] }: Figure): string {
  const note = more.length > 0 ? ` (${drawSaid(terminal, more)})` : ''
  return paint(terminal, tone)(`${drawSaid(terminal, value)} ${title.toLowerCase()}${note}`)
}

/** Converts columns of a view to those of a terminal table. With `now` in unix seconds, times are shown as ages there. */
export function drawColumns<Row>(terminal: Terminal, columns: ViewColumn<Row>[], now?: number): Column<Row>[] {
  const { isTerminal } = terminal
  return columns.map(({ title, text, brief, as, tone, align, min, cut, from }) => ({
    title,
    align,
    min,
    cut,
    from,
    value:
      as === 'time' && now !== undefined
        ? (row: Row) => when(text(row), { isTerminal, now })
        : (row: Row) => withKeyboardMinus((brief ?? text)(row)),
    ...(tone && { style: (cell: string, row: Row) => paint(terminal, tone(row))(cell) }),
  }))
}

/** A number with the hyphen-minus of keyboards, which can be searched for. */
const withKeyboardMinus = (text: string | null) => text?.replace(/^\u2212(?=\d)/, '-') ?? null

/** Like `drawColumns`, for data formats. */
export function dataColumns<Row>(columns: ViewColumn<Row>[]): Column<Row>[] {
  return columns.map(({ title, text, data, align }) => ({
    title,
    align,
    value: (row) => {
      const value = data ? data(row) : text(row)
      return value === null ? '' : String(value)
    },
  }))
}

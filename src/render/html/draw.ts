import { findingSeverities } from '../../contract/choices.ts'
import type { LinkTarget, Piece, Said, Tone } from '../../views/said.ts'
import type { Note, ViewColumn, ViewVerdict } from '../../views/view.ts'
import { breakable, clean, command, dated, day, html, time, unbroken } from './markup.ts'
import type { TextColumn } from './table.ts'

/** Resolves the links of texts, and redacts them. */
export interface Ink {
  /** The URL of a target; undefined if there is no such page. */
  linkTo: (target: LinkTarget) => string | undefined
  /** Redacts a piece of text. */
  hide: (piece: Piece) => Piece
}

export const plainInk: Ink = { linkTo: () => undefined, hide: (piece) => piece }
const severities: readonly string[] = findingSeverities

/** The only place that maps tones to CSS classes. A severity is always a word, never a color alone. */
const toClass = (tone: Tone) => (severities.includes(tone) ? `severity ${tone}` : tone)

const maxPieceLength = 1000

export function drawSaid(said: Said, ink: Ink = plainInk) {
  return html`${said.map((piece) => drawPiece(ink.hide(piece), ink))}`
}

function drawPiece(piece: Piece, { linkTo }: Ink) {
  const inner = drawText(piece)
  const href = piece.link && linkTo(piece.link)
  const isOutside = piece.link !== undefined && 'url' in piece.link
  const linked =
    href === undefined ? inner : html`<a href="${href}"${isOutside && html` rel="noreferrer"`}>${inner}</a>`
  const { tone, hint } = piece
  if (tone === undefined && hint === undefined) return linked
  return html`<span${tone !== undefined && html` class="${toClass(tone)}"`}${hint !== undefined && html` title="${hint}"`}>${linked}</span>`
}

function drawText({ text, reveals, as }: Piece) {
  if (as === 'time') return time(text)
  // A day may be given as a timestamp.
  if (as === 'day' && text.length > 10) return day(text)
  if (as === 'command') return command(text)
  const cut = clean(text, maxPieceLength)
  if (as === 'code') return html`<code>${cut}</code>`
  if (reveals === 'resource' || reveals === 'artifact') return breakable(cut)
  if (as === 'word' || reveals === 'namespace' || reveals === 'id') return unbroken(cut)
  return reveals === 'safe' ? dated(cut) : html`<bdi>${cut}</bdi>`
}

/** Converts columns of a view to those of an HTML table. */
export function drawColumns<Row>(columns: ViewColumn<Row>[], ink: Ink = plainInk): TextColumn<Row>[] {
  return columns.map((column) => ({
    title: column.title,
    value: (row) => drawCell(column, row, ink),
    text: (row: Row) => (column.data ? column.data(row) : column.text(row)),
    align: column.align,
  }))
}

function drawCell<Row>({ text, said, as, tone, link, reveals }: ViewColumn<Row>, row: Row, ink: Ink) {
  const words = text(row)
  if (words === null || words === '') return null
  return drawSaid(said?.(row) ?? [{ text: words, reveals, as, tone: tone?.(row), link: link?.(row) }], ink)
}

export const drawNote = ({ tone, said }: Note, ink: Ink = plainInk) =>
  html`<p class="${tone === undefined ? 'note' : toClass(tone)}">${drawSaid(said, ink)}</p>`

/** The banner of an answer: its state, and a sentence for each gap. */
export function drawVerdict({ state, words, more = [], gaps }: ViewVerdict, ink: Ink = plainInk) {
  const sentences = [...more, ...gaps].map((said) => html`${drawSaid(said, ink)}. `)
  return html`<div class="verdict ${state}"><strong>${drawSaid(words, ink)}</strong>${sentences}</div>`
}

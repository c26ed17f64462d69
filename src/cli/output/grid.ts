import { plain } from '../../render/terminal/terminal.ts'
import { isObject } from '../../util/json.ts'
import type { Grid } from './formats.ts'
import { exactIo, type Io } from './io.ts'
import type { CommandResult } from './output.ts'

/** A list has its columns; for a single object, each field is a row. */
export function toGrid<Row>(io: Io, now: number, { body, rows, columns }: CommandResult<Row>): Grid {
  const cell = io.isTerminal ? plain : (text: string) => text
  if (!rows || !columns) {
    const fields = toFields(unwrap(body), '').map((row) => row.map(cell))
    return { titles: ['Field', 'Value'], aligns: [undefined, undefined], rows: fields }
  }
  const all = columns(exactIo(io), now).filter(({ only }) => only !== 'table')
  return {
    titles: all.map((column) => column.title),
    aligns: all.map((column) => column.align),
    rows: rows.map((row) => all.map((column) => cell(column.value(row) ?? ''))),
  }
}

/** `{success: true, product: {…}}` → the product. */
function unwrap(body: unknown) {
  if (!isObject(body)) return body
  const [only, ...more] = Object.entries(body).filter(([key]) => key !== 'success')
  return only && more.length === 0 && isObject(only[1]) ? only[1] : body
}

/** Flattens objects to fields (`findings.total`), and lists of objects to items (`rules.0.verdict`). */
function toFields(value: unknown, name: string): [name: string, value: string][] {
  const isList = Array.isArray(value) && value.some((each) => typeof each === 'object' && each !== null)
  if (!isList && !isObject(value)) return [[name, toText(value)]]
  return Object.entries(value).flatMap(([key, child]) => toFields(child, name === '' ? key : `${name}.${key}`))
}

function toText(value: unknown) {
  if (value === null || value === undefined) return ''
  return Array.isArray(value) ? value.join(', ') : String(value)
}

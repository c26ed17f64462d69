import { plain } from '../../render/terminal/terminal.ts'
import { isObject } from '../../util/json.ts'
import { exactIo, type Io } from './io.ts'
import type { CommandResult } from './output.ts'

const idMembers = ['run_id', 'config_id', 'spool_id', 'slug', 'uuid', 'id', 'login', 'name']

/** For `-o name`: the name of each row for use in other commands, one per line; the id of a single record. */
export function renderNames<Row>(io: Io, now: number, { body, rows, columns }: CommandResult<Row>): string {
  if (!rows || !columns) return line(toId(body))
  const all = columns(exactIo(io), now)
  const column = all.find(({ isName }) => isName) ?? all[0]
  return rows.map((row) => line(column?.value(row) ?? undefined)).join('')
}

const line = (name: string | undefined) => (name === undefined || name === '' ? '' : `${plain(name)}\n`)

function toId(body: unknown): string | undefined {
  if (!isObject(body)) return undefined
  const id = idMembers.map((member) => body[member]).find((value) => ['string', 'number'].includes(typeof value))
  if (id !== undefined) return String(id)
  const inner = Object.values(body).filter(isObject)
  return inner.length === 1 ? toId(inner[0]) : undefined
}

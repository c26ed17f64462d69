import { hash } from 'node:crypto'
import { ReltError } from '../errors.ts'
import { isObject } from '../util/json.ts'
import type { ToolArguments } from './tool.ts'

const maxOffset = 1_000_000

/** Names the next rows of this question, and of no other. It grants nothing: each call is checked as the first one. */
export function writeCursor(question: string, offset: number): string {
  return Buffer.from(JSON.stringify({ offset, of: question })).toString('base64url')
}

/** Throws `invalid_param` for a cursor of another question. */
export function readCursor(question: string, cursor: unknown): number {
  if (cursor === undefined) return 0
  const found = typeof cursor === 'string' && cursor.length <= 200 ? parse(cursor) : undefined
  const { offset, of } = isObject(found) ? found : {}
  if (of === question && Number.isSafeInteger(offset) && Number(offset) >= 0 && Number(offset) <= maxOffset) {
    return Number(offset)
  }
  throw new ReltError('invalid_param', 'The cursor is not of this tool with these arguments. Ask without it first.')
}

export function toQuestion(tool: string, { cursor: _, ...args }: ToolArguments): string {
  const sorted = Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1))
  return hash('sha256', JSON.stringify([tool, sorted])).slice(0, 16)
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

import { isObject } from '../util/json.ts'
import { shown } from './not-run-text.ts'
import { bareName, isSpelling } from './spelling.ts'

type Values = Record<string, unknown>

/** Members that one kind of object in a report may have. */
export interface Shape {
  /** Members in any version of the scanner that are read, or that say nothing about findings. */
  known: ReadonlySet<string>
  /** Known members that are ignored: they may contain anything except rows of findings. */
  unread: ReadonlySet<string>
  /** Fields of rows, in lower case: an object with at least two of them is a row. */
  rowFields: ReadonlySet<string>
  bare: readonly string[]
  /** Cache: unknown name → whether it may be a misspelling of a known one. */
  near: Map<string, boolean>
}

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '')

export function shapeFor({ known, unread = '', rows = '' }: { known: string; unread?: string; rows?: string }): Shape {
  const all = [...words(known), ...words(unread)]
  return {
    known: new Set(words(known)),
    unread: new Set(words(unread)),
    rowFields: new Set(words(rows.toLowerCase())),
    bare: all.map(bareName),
    near: new Map(),
  }
}

/** A name that indicates an outcome. */
const tellingName =
  /skip|error|fail|total|count|item|row|finding|result|status|state|reason|message|warn|issue|unable|complete|partial|ran\b|\brun|execut|violat|resource|detail|note|degrad|truncat|success|vuln|cve|exit|abort|verdict|outcome|complian|un_?scann|not_?scann|misconf|defect|problem|alert|risk|omit|hidden|dropped|ignor|suppress|exclud|denied|forbid|cancel|time_?d?_?out|unavail|inaccess|exception|stderr|phase|continue|remaining/i

/** A name that indicates success, unless negated, and a severity with a number. */
const wellName = /^(?:is)?(?:ok|pass(?:ed|es)?|valid|healthy|done|finished|good|clean|secure)$/i
const severityName =
  /^(?:(?:num|n|total)_?)?(?:critical|high|medium|low|bad|danger|severe|more)(?:_?(?:count|severity))?$/i

/**
 * A member that its reader ignores and that may mean a check did not pass: a misspelled known name, a name that indicates an
 * outcome, or rows of findings. Newer versions may add other members.
 */
export function strangeMember(values: Values, shape: Shape): string | undefined {
  for (const key of Object.keys(values)) {
    if (shape.known.has(key)) continue
    const value = values[key]
    if (isEmpty(value)) continue
    const saysOutcome = tellingName.test(key) || severityName.test(key) || (value === false && wellName.test(key))
    const isStrange = !shape.unread.has(key) && (isNear(key, shape) || saysOutcome)
    if (isStrange) return `the unknown member ${shown(key)}`
    if (hasRows(value, shape.rowFields)) return `the unknown member ${shown(key)} has rows`
  }
  return undefined
}

function isNear(key: string, { bare, near }: Shape): boolean {
  const name = bareName(key)
  const isKnown = near.get(name) ?? bare.some((known) => isSpelling(name, known))
  if (near.size < mostNames) near.set(name, isKnown)
  return isKnown
}

const mostNames = 1000

/** Like `strangeMember`, for objects with arbitrary other members: only rows count. */
export function memberWithRows(values: Values, { known, rowFields }: Shape): string | undefined {
  const key = Object.keys(values).find((each) => !known.has(each) && hasRows(values[each], rowFields))
  return key === undefined ? undefined : `the unknown member ${shown(key)} has rows`
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0) return true
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && Object.keys(value).length === 0
}

const maxLooked = 2000

/** Whether there is a row at any depth, up to a limit. */
function hasRows(value: unknown, fields: ReadonlySet<string>): boolean {
  if (fields.size === 0) return false
  const open = [value]
  for (let looked = 0; looked < maxLooked && open.length > 0; looked++) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    if (isObject(next) && Object.keys(next).filter((key) => fields.has(key.toLowerCase())).length >= 2) return true
    for (const child of Object.values(next).slice(0, maxLooked)) open.push(child)
  }
  return false
}

import { isObject } from '../../../src/util/json.ts'

/**
 * The form of an answer in words: `string`, `integer`, `number`, `boolean`, `timestamp`, `true`, `anything`, or values
 * with `|` between them; a `?` behind them allows null. A list has the form of its items; an object has exactly these
 * members, of which those with a `?` behind their name may be missing.
 */
export type Shape = string | RegExp | readonly Shape[] | { readonly [member: string]: Shape }

/** Where an answer has another form. A list that is empty everywhere shows nothing of its items, which is told, too. */
export function mismatches(shape: Shape, answer: unknown): string[] {
  const found: Found = { wrong: [], empty: new Set(), filled: new Set() }
  compare(shape, answer, 'answer', found)
  return [
    ...found.wrong,
    ...[...found.empty].filter((path) => !found.filled.has(path)).map((path) => `${path} is empty`),
  ]
}

interface Found {
  wrong: string[]
  empty: Set<string>
  filled: Set<string>
}

function compare(shape: Shape, value: unknown, path: string, found: Found): void {
  const what = problemFor(shape, value)
  if (what !== undefined) found.wrong.push(`${path} ${what}: ${JSON.stringify(value)?.slice(0, 80)}`)
  else if (isList(shape)) compareItems(shape[0]!, value as unknown[], path, found)
  else if (isForm(shape)) compareMembers(shape, value as object, path, found)
}

type Form = { readonly [member: string]: Shape }
const isList = (shape: Shape): shape is readonly Shape[] => Array.isArray(shape)
const isForm = (shape: Shape): shape is Form =>
  typeof shape === 'object' && !Array.isArray(shape) && !(shape instanceof RegExp)

/** Of the value itself, not of what is in it. */
function problemFor(shape: Shape, value: unknown): string | undefined {
  if (typeof shape === 'string') return isOf(shape, value) ? undefined : `is no ${shape}`
  if (shape instanceof RegExp) return typeof value === 'string' && shape.test(value) ? undefined : `is no ${shape}`
  if (isList(shape)) return Array.isArray(value) ? undefined : 'is no list'
  return isObject(value) ? undefined : 'is no object'
}

function compareItems(shape: Shape, items: unknown[], path: string, found: Found): void {
  const kind = items.length === 0 ? found.empty : found.filled
  kind.add(path)
  for (const item of items) compare(shape, item, `${path}[]`, found)
}

function compareMembers(form: Form, value: object, path: string, found: Found): void {
  const members = new Map(Object.entries(form).map(([name, of]) => [name.replace('?', ''), of]))
  for (const name of Object.keys(value)) {
    if (!members.has(name)) found.wrong.push(`${path}.${name} is not in the interface`)
  }
  for (const [name, of] of members) {
    if (Object.hasOwn(value, name)) compare(of, value[name as never], `${path}.${name}`, found)
    else if (!(`${name}?` in form)) found.wrong.push(`${path}.${name} is missing`)
  }
}

const tests: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isSafeInteger(value),
  number: (value) => Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  true: (value) => value === true,
  timestamp: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value),
  anything: () => true,
}

function isOf(kind: string, value: unknown): boolean {
  if (kind.endsWith('?')) return value === null || isOf(kind.slice(0, -1), value)
  return tests[kind]?.(value) ?? (typeof value === 'string' && kind.split('|').includes(value))
}

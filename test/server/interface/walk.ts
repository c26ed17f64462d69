import { expect } from 'vitest'
import { basePath } from '../../../src/server/http/base-path.ts'

/** `ada` has Pro Plus, `pat` Pro, `fay` Free; `eve` has nothing of theirs, `root` is an admin. */
export type Who = 'ada' | 'pat' | 'fay' | 'eve' | 'root' | 'nobody'

/** What a sentence of the interface says, as a request and what is expected of its answer. */
export interface Row {
  /** Of the interface. */
  line: number
  says: string
  /** `GET /projects/{project}`; a name in braces is an id of the walk. */
  ask: string
  /** Default: `ada`. */
  as?: Who
  /** Texts in braces are ids, too. */
  body?: unknown
  headers?: Record<string, string>
  /** Default: 200. */
  status?: number
  /** Part of the answer. */
  has?: unknown
  /** Where in the answer `has` is, with dots. */
  at?: string
  /** Members that `at` must not have. */
  lacks?: string[]
  /** Ids for the rows below: name → where it is in the answer. */
  keep?: Record<string, string>
  check?: (answer: Answer) => void
}

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any
}

type Ids = Record<string, string | number>

export interface Walk {
  url: string
  /** Headers that sign in. */
  signedIn: Record<Who, Record<string, string>>
  ids: Ids
}

const satisfying = (test: (value: unknown) => boolean) => expect.toSatisfy(test)
export const integer = satisfying(Number.isSafeInteger)
export const number = satisfying(Number.isFinite)
export const text = expect.any(String)
export const boolean = expect.any(Boolean)
export const textOrNull = satisfying((value) => value === null || typeof value === 'string')
export const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
export const webAddress = expect.stringMatching(/^https?:\/\//)
export const oneOf = (...values: unknown[]) => satisfying((value) => values.includes(value))
export const list = expect.any(Array)
export const anything = satisfying((value) => value !== undefined)

/** Walks on by one row. */
export async function step(walk: Walk, row: Row): Promise<void> {
  const { status = 200, has, at = '', lacks = [], keep = {}, check } = row
  const answer = await ask(walk, row)
  expect({ status: answer.status, body: status === answer.status ? '' : answer.body }).toEqual({ status, body: '' })
  const part = partOf(answer.body, at)
  if (has !== undefined) expect(part).toMatchObject(has ?? {})
  for (const name of lacks) expect(part).not.toHaveProperty([name])
  for (const [name, path] of Object.entries(keep)) walk.ids[name] = partOf(answer.body, path)
  check?.(answer)
}

export async function ask(walk: Walk, { ask, as = 'ada', body, headers = {} }: Row): Promise<Answer> {
  const [method = '', path = ''] = ask.split(' ')
  const address = fill(path, walk.ids)
  const response = await fetch(`${walk.url}${address.startsWith('/api/') ? '' : basePath}${address}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...walk.signedIn[as], ...headers },
    ...(body !== undefined && { body: JSON.stringify(body, (_, value) => fillValue(value, walk.ids)) }),
  })
  const received = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') && received !== ''
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(received) : received }
}

const fill = (path: string, ids: Ids) => path.replace(/\{(\w+)\}/g, (_, name: string) => `${ids[name]}`)

function fillValue(value: unknown, ids: Ids): unknown {
  const name = typeof value === 'string' ? /^\{(\w+)\}$/.exec(value)?.[1] : undefined
  return name === undefined ? value : ids[name]
}

// biome-ignore lint/suspicious/noExplicitAny: as in `Answer`
function partOf(body: any, path: string): any {
  return path === '' ? body : path.split('.').reduce((part, name) => part?.[name], body)
}

/** One row for each field: line → its name and its form. */
export function fields(common: Pick<Row, 'ask' | 'as' | 'at'>, lines: [line: number, fields: object][]): Row[] {
  return lines.flatMap(([line, of]) =>
    Object.entries(of).map(([name, form]) => ({ line, says: `has ${name}`, ...common, has: { [name]: form } })),
  )
}

/** A refusal with the parameter's name in its message. */
export const refused = (...params: string[]): Pick<Row, 'status' | 'has'> => ({
  status: 400,
  has: {
    code: 'rest_invalid_param',
    message: expect.stringMatching(new RegExp(params.map((name) => `(?=.*\\b${name}\\b)`).join(''))),
  },
})
export const forbidden = { status: 403, has: { code: 'rest_forbidden', message: text } }
export const unauthenticated = {
  status: 401,
  has: { code: 'rest_forbidden', message: expect.stringMatching(/authentication is required/i) },
}
export const unknown = { status: 404, has: { code: 'rest_no_route', message: text } }

/** Rows of a number's bounds. */
export function bounds(
  line: number,
  path: string,
  name: string,
  { min = 1, max }: { min?: number; max: number },
): Row[] {
  const asking = (value: unknown) => `GET ${path}${path.includes('?') ? '&' : '?'}${name}=${value}`
  return [
    { line, says: `${name} may be ${min}`, ask: asking(min) },
    { line, says: `${name} may be ${max}`, ask: asking(max) },
    ...[min - 1, max + 1, 'x'].map((value) => ({
      ...{ line, says: `${name} may not be ${value}`, ask: asking(value) },
      ...refused(name),
    })),
  ]
}

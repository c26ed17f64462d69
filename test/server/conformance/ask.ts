import { expect } from 'vitest'
import { type Route, type RouteName, routes } from '../../../src/contract/routes.ts'
import { errorTable, ReltError } from '../../../src/errors.ts'
import { invoke } from '../../../src/service/invoke.ts'
import type { Answer, Call as HttpCall } from '../http.ts'
import type { Call } from './table.ts'
import type { Caller, World } from './world.ts'

export interface Outcome {
  status: number
  /** Of a refusal. */
  code?: string
  /** The parameters that a refusal names. */
  params?: string[]
  /** Of success. */
  answer?: unknown
}

/** Without a caller, nobody is signed in. */
type Ask = (world: World, name: RouteName, call: Call, caller?: Asker) => Promise<Outcome>

/** With `team`, the caller acts for this one. */
type Asker = Pick<Caller, 'headers' | 'user'> & { team?: string }

let checks = 0
export const countOfChecks = () => checks

export const overHttp: Ask = (world, name, call, caller) => send(world, name, call, { headers: toHeaders(caller) })

function toHeaders(caller: Asker | undefined): Record<string, string> {
  return { ...caller?.headers, ...(caller?.team !== undefined && { 'x-relt-team': caller.team }) }
}

/** Over HTTP, with any headers, from any address, or with a body as it is. */
export async function send(world: World, name: RouteName, call: Call, more: Partial<HttpCall>): Promise<Outcome> {
  const route: Route = routes[name]
  const { method } = route
  const { status, body } = await sendTo(world, toPath(route, call), { method, body: call.body, ...more })
  if (status < 300) return { status, answer: body }
  return refusal(status, body.code, body.message, body.data.params)
}

/** To any address. */
export function sendTo(world: World, path: string, call: HttpCall): Promise<Answer> {
  checks++
  return world.call(path, call)
}

export const inProcess: Ask = async ({ service }, name, { params = {}, query, body = {} }, caller) => {
  checks++
  const { report, ...envelope } = body
  const texts = Object.entries(params).map(([key, value]) => [key, typeof value === 'number' ? String(value) : value])
  const request = {
    params: Object.fromEntries(texts),
    query,
    body: envelope,
    user: caller?.user,
    team: caller?.team,
    ...(report !== undefined && report !== null && { report: Buffer.from(JSON.stringify(report)) }),
  }
  const { status = 200 }: Route = routes[name]
  try {
    const answer = await invoke(service, name, request)
    return { status, answer: JSON.parse(JSON.stringify(answer)) }
  } catch (error) {
    if (!(error instanceof ReltError)) throw error
    const { wire, status } = errorTable[error.code]
    return refusal(status, wire, error.message, error.params)
  }
}

/** A message lists the parameters, and each has its reason. */
function refusal(status: number, code: string, message: string, reasons?: Record<string, string>): Outcome {
  if (!reasons) return { status, code }
  const params = Object.keys(reasons)
  expect(message).toMatch(/^(Invalid|Missing) parameter\(s\): /)
  expect(message.replace(/^.*: /, '')).toBe(params.join(', '))
  for (const reason of Object.values(reasons)) expect(reason).toMatch(/\S/)
  return { status, code, params }
}

/** The ways into the service, which must not differ. */
export const transports: [title: string, ask: Ask][] = [
  ['over HTTP', overHttp],
  ['in process', inProcess],
]

/** Below the base path. */
export function toPath({ path }: Route, { params = {}, query = {} }: Call): string {
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    [value].flat().map((each): [string, string] => [key, String(each)]),
  )
  const search = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name]))) + search
}

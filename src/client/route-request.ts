import type { Route } from '../contract/route.ts'
import { ReltError } from '../errors.ts'

export interface RouteRequest {
  method: string
  /** Path below the base URL, with its query. */
  path: string
  headers: Record<string, string>
  body?: Uint8Array
}

/** The input of a route, before it becomes an HTTP request. */
export interface RequestInput {
  params?: unknown
  query?: unknown
  body?: unknown
  report?: Uint8Array
  idempotencyKey?: string | undefined
}

/** Converts a route call to an HTTP request. The report of an upload is sent as raw text within its envelope. */
export async function toRequest({ method, path }: Route, input: RequestInput): Promise<RouteRequest> {
  const address = `${fill(path, input.params ?? {})}${toSearch(input.query ?? {})}`
  if (input.report) return (await import('./upload-request.ts')).toUploadRequest(address, input, input.report)
  if (method === 'GET' || input.body === undefined) return { method, path: address, headers: {} }
  const body = Buffer.from(JSON.stringify(input.body))
  return { method, path: address, headers: { 'content-type': 'application/json' }, body }
}

export function toSearch(query: object) {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.append(name, String(value))
  return given.size === 0 ? '' : `?${given}`
}

function fill(path: string, params: object) {
  const values = new Map<string, unknown>(Object.entries(params))
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values.get(name))
    // These would be interpreted as path segments, however they are encoded.
    if (value === '.' || value === '..') throw new ReltError('not_found', `There is nothing with the id "${value}".`)
    return encodeURIComponent(value)
  })
}

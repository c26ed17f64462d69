import { originValidation } from '@modelcontextprotocol/hono'
import { createMcpHandler, localhostAllowedOrigins } from '@modelcontextprotocol/server'
import type { Context } from 'hono'
import { createMcpServer } from './server.ts'
import type { Ask } from './tool.ts'

interface HttpOptions {
  /** Calls the contract in the name of the caller. */
  ask: Ask
  /** Unix seconds. */
  now: () => number
  /** The request's body, parsed. */
  body: unknown
}

/** Refuses a request of a page of another origin than this machine's and the server's own. */
export async function refuseOrigin(c: Context, publicUrl: string | undefined): Promise<Response | undefined> {
  const own = publicUrl === undefined ? [] : [new URL(publicUrl).hostname]
  return (await originValidation([...localhostAllowedOrigins(), ...own])(c, async () => {})) ?? undefined
}

/** Answers one request over HTTP. Everything is made for it: two users at once share nothing. */
export async function answerHttp(c: Context, { ask, now, body }: HttpOptions): Promise<Response> {
  const handler = createMcpHandler(() => createMcpServer({ ask, now }))
  const { method, headers, url } = c.req.raw
  if (method !== 'POST') return handler.fetch(c.req.raw)
  // The body is read already.
  return handler.fetch(new Request(url, { method, headers, body: '{}' }), { parsedBody: body })
}

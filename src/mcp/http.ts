import { originValidation } from '@modelcontextprotocol/hono'
import { createMcpHandler, localhostAllowedOrigins } from '@modelcontextprotocol/server'
import type { Context } from 'hono'
import { createMcpServer } from './server.ts'

interface HttpOptions {
  /** The server's options, which act on behalf of the caller. */
  server: Parameters<typeof createMcpServer>[0]
  /** The parsed body of the request. */
  body: unknown
}

/** Rejects requests of pages whose origin is neither this machine nor the server itself. */
export async function refuseOrigin(c: Context, publicUrl: string | undefined) {
  const own = publicUrl === undefined ? [] : [new URL(publicUrl).hostname]
  return (await originValidation([...localhostAllowedOrigins(), ...own])(c, async () => {})) ?? undefined
}

/** Handles one request over HTTP. Creates all objects for it, so that concurrent users share nothing. */
export async function answerHttp(c: Context, { server, body }: HttpOptions) {
  const handler = createMcpHandler(() => createMcpServer(server))
  const { method, headers, url } = c.req.raw
  if (method !== 'POST') return handler.fetch(c.req.raw)
  // The body was already read.
  return handler.fetch(new Request(url, { method, headers, body: '{}' }), { parsedBody: body })
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { RemoteOptions } from '../../src/client/remote.ts'
import { type Form, interfaceFields } from './interface-fields.ts'
import { openServerWithUser } from './open.ts'

const base = '/interface/v1'

/**
 * Another implementation of the interface: ours, behind a server that passes on the interface's own fields and no others.
 * It has none of our extensions, nor anything that only we say in errors and headers.
 */
export async function openOtherServer(
  form: Form,
): Promise<{ server: RemoteOptions; password: string; asked: Set<string> }> {
  const { server: ours, password } = await openServerWithUser()
  const asked = new Set<string>()
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.writeHead(599).end(error.stack))
  })
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const path = request.url!.slice(base.length)
    const name = toName(request.method!, path)
    const trim = interfaceFields[name]
    if (!trim) return send(response, 404, { code: 'rest_no_route', message: 'No route matches.' })
    asked.add(name)
    const {
      authorization,
      'content-type': type,
      'content-encoding': encoding,
      'idempotency-key': key,
    } = request.headers
    const headers = Object.entries({
      authorization,
      'content-type': type,
      'content-encoding': encoding,
      'idempotency-key': key as string,
    }).filter((header): header is [string, string] => header[1] !== undefined)
    const method = request.method!
    const body = chunks.length > 0 && method !== 'GET' ? Buffer.concat(chunks) : undefined
    const found = await fetch(ours.url + path, { method, headers, ...(body && { body }) })
    const whole = (await found.json()) as Record<string, unknown>
    if (found.ok) send(response, 200, trim(whole, form))
    else send(response, found.status, { code: whole.code, message: whole.message })
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { server: { ...ours, url: `http://127.0.0.1:${port}${base}` }, password, asked }
}

function toName(method: string, path: string): string {
  const { pathname } = new URL(path, 'http://x')
  const exact = `${method} ${pathname}`
  if (exact in interfaceFields) return exact
  return exact
    .replace(
      /(?<=^\S+ \/(?:projects|product|labels|subscriptions|api-keys|cluster-reports|cluster-configs)\/)[^/]+/,
      '{}',
    )
    .replace(/(?<=\/\{\}\/labels\/)[^/]+/, '{}')
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

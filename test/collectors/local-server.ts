import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Asked {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
  /** Of the answer. */
  status: number
}

export interface LocalServer {
  url: string
  asked: Asked[]
}

export type Handler = (asked: Asked, response: ServerResponse) => void | Promise<void>

/** Keeps what it was asked, in the order of the answers. */
export async function openLocalServer(handler: Handler): Promise<LocalServer> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const one: Asked = {
      method: request.method!,
      path: request.url!,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
      status: 0,
    }
    response.once('close', () => {
      one.status = response.statusCode
      asked.push(one)
    })
    await handler(one, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

export function sendJson(response: ServerResponse, value: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', ...headers })
  response.end(JSON.stringify(value))
}

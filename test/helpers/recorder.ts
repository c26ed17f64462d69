import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

interface RecorderOptions {
  /** Drops the connection of the request with this number, after the server behind has answered it. */
  dropAfter?: number
  /** Answers the request with this number with 429. */
  limitAt?: number
  limitSeconds?: number
}

/** A server that passes requests on to another one and remembers those that write. */
export async function openRecorder(target: string, { dropAfter, limitAt, limitSeconds = 30 }: RecorderOptions = {}) {
  const requests: string[] = []
  const { origin, pathname } = new URL(target)
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    requests.push(`${request.method} ${request.url}`)
    if (requests.length === limitAt) {
      const headers = { 'content-type': 'application/json', 'retry-after': String(limitSeconds) }
      return void response.writeHead(429, headers).end('{"code":"rest_too_many_requests","message":"Slow down."}')
    }
    const passed = ['authorization', 'content-type', 'content-encoding', 'idempotency-key', 'x-relt-team']
    const headers = Object.fromEntries(
      passed.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, String(request.headers[name])]])),
    )
    const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined
    const answer = await fetch(origin + request.url, { method: request.method!, headers, ...(body && { body }) })
    const text = await answer.text()
    if (dropAfter !== undefined && requests.length >= dropAfter) return void request.socket.destroy()
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${pathname}`,
    target,
    requests,
    writes: () => requests.filter((line) => !line.startsWith('GET ')),
  }
}

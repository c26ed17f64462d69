import type { ServerResponse } from 'node:http'
import { ReltError } from '../errors.ts'

/** State of a running agent, served on its port. */
export interface HealthSource {
  /** False if the loop has stopped turning. */
  isAlive: () => boolean
  /** Reasons why the agent cannot work at the moment. */
  problems: () => Promise<string[]> | string[]
  metrics: () => Promise<string>
}

export interface HealthServer {
  port: number
  host: string
  stop: () => Promise<void>
}

/** Serves `/healthz`, `/readyz` and `/metrics`. Throws `usage` if the port is taken. */
export async function serveHealth(
  { port, host }: { port: number; host: string },
  source: HealthSource,
): Promise<HealthServer> {
  const { createServer } = await import('node:http')
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5000 }, (request, response) => {
    request.resume()
    const { method = '', url = '' } = request
    if (method !== 'GET' && method !== 'HEAD') return reply(response, 405, 'method not allowed')
    answer(url.split('?', 1)[0]!, source, response).catch((error: Error) => reply(response, 500, error.message))
  })
  server.maxConnections = 50
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new ReltError('usage', `health_port: ${host}:${port} cannot be used: ${cause.message}.`, { cause }))
    })
    server.listen(port, host, resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    host,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(path: string, source: HealthSource, response: ServerResponse) {
  if (path === '/healthz') {
    const isAlive = source.isAlive()
    return reply(response, isAlive ? 200 : 503, isAlive ? 'ok' : 'The loop of the agent has stopped.')
  }
  if (path === '/readyz') {
    const problems = await source.problems()
    return reply(response, problems.length === 0 ? 200 : 503, problems.length === 0 ? 'ok' : problems.join('\n'))
  }
  if (path === '/metrics') {
    return reply(response, 200, await source.metrics(), 'text/plain; version=0.0.4; charset=utf-8')
  }
  reply(response, 404, 'not found')
}

function reply(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8') {
  if (response.headersSent) return
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' })
  response.end(text.endsWith('\n') ? text : `${text}\n`)
}

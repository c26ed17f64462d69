import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ReltError } from '../../../errors.ts'
import { shownLines } from '../../shown.ts'
import { problemOfWebhook } from './verify.ts'

export interface ReceivedMessage {
  id: string | null
  type: string | null
  /** Why it cannot be trusted; null for a valid signature, or if no secret is set. */
  problem: string | null
  lines: string[]
  /** Raw body. */
  body: string
}

export interface ReceiveOptions {
  port: number
  /** Stops after this many messages. */
  count?: number | undefined
  /** Empty: signatures are not checked. */
  secrets: readonly string[]
  signal: AbortSignal
  /** Unix seconds. */
  now: () => number
  onListening: (url: string) => void
  onMessage: (message: ReceivedMessage) => void
}

const maxBytes = 1_000_000

/** A receiver for this machine only. Responds with 204, or 401 for an invalid signature, until the signal. */
export async function receiveWebhooks(options: ReceiveOptions): Promise<void> {
  const { port, count = Number.POSITIVE_INFINITY, secrets, signal, now, onListening, onMessage } = options
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let received = 0
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405, { allow: 'POST' }).end()
    const body = await readBody(request).catch(() => undefined)
    if (body === undefined) return response.writeHead(413, { connection: 'close' }).end()
    const { headers } = request
    const problem = secrets.length > 0 ? problemOfWebhook({ headers, body }, secrets, now()) : undefined
    const id = headers['webhook-id']
    onMessage({ id: typeof id === 'string' ? id : null, problem: problem ?? null, body, ...toContent(body) })
    response.writeHead(problem === undefined ? 204 : 401, { connection: 'close' }).end(() => {
      received++
      if (received >= count) resolve()
    })
  })
  server.on('error', ({ code }: NodeJS.ErrnoException) =>
    reject(new ReltError('usage', `Port ${port} cannot be used (${code}).`, { hint: 'Choose another one: --port.' })),
  )
  server.listen(port, '127.0.0.1', () => onListening(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  signal.addEventListener('abort', () => resolve(), { once: true })
  try {
    await promise
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxBytes) throw new Error('too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function toContent(body: string): Pick<ReceivedMessage, 'type' | 'lines'> {
  try {
    const { type } = JSON.parse(body)
    const lines = shownLines({ kind: 'post', contentType: 'application/json', body })
    return { type: typeof type === 'string' ? type : null, lines }
  } catch {
    return { type: null, lines: [`${body.length} characters that are not JSON`] }
  }
}

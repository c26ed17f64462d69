import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { ReltError } from '../../errors.ts'
import type { HttpApp } from './app.ts'
import { type ConnectionLimits, limitConnections } from './connections.ts'
import { wireError } from './on-error.ts'
import { commonHeaders } from './reply.ts'
import { watchStalls } from './stalls.ts'
import { toRequestId } from './state.ts'
import type { TrustedProxies } from './trusted-proxies.ts'

export interface ListenOptions {
  host: string
  port: number
  tls?: { cert: string | Buffer; key: string | Buffer }
  connections?: ConnectionLimits
  /** Time in which at least 32 kB of a body or answer must be transferred; default: 15 seconds. */
  stallMs?: number
  trusted?: TrustedProxies | undefined
}

export interface RunningServer {
  url: string
  port: number
  /** Stops accepting connections, completes running requests, and closes the rest after this time. */
  stop(patienceMs: number): Promise<void>
  /** For new connections. Throws if the certificate is invalid. */
  setCertificate(tls: { cert: string | Buffer; key: string | Buffer }): void
}

const limits = {
  headersTimeout: 10_000,
  // `watchStalls` ends slow bodies sooner.
  requestTimeout: 300_000,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 16_384,
  connectionsCheckingInterval: 1_000,
  // Node's own response would have no body.
  requireHostHeader: false,
}

/** Throws `usage` if it cannot listen on the address. */
export async function listen(
  { app, answerKept }: Pick<HttpApp, 'app' | 'answerKept'>,
  options: ListenOptions,
): Promise<RunningServer> {
  const { host, port, tls, connections, trusted } = options
  const stalls = watchStalls(endStalled, options.stallMs)
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    hostname: 'localhost',
    errorHandler: () => malformed(400),
  })
  const answer = answerInTurn((incoming, outgoing) => {
    stalls.add(incoming, outgoing)
    if (!namesItsHost(incoming)) return refuseHostless(outgoing)
    if (!answerKept(incoming, outgoing)) void listener(incoming, outgoing)
  })
  const server = tls ? createSecure(tls, answer) : createServer(limits, answer)
  server.on('clientError', refuse)
  if (connections) limitConnections(server, connections, trusted)
  await once(server.listen(port, host), 'listening').catch((error) => {
    throw cannotListen(error, host, port)
  })
  const { port: bound } = server.address() as AddressInfo
  const url = `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${bound}`
  const end = (patienceMs: number) => stop(server, patienceMs).finally(() => stalls.stop())
  return { url, port: bound, stop: end, setCertificate: (fresh) => (server as TlsServer).setSecureContext(fresh) }
}

function createSecure(tls: NonNullable<ListenOptions['tls']>, answer: RequestListener) {
  try {
    return createTlsServer({ ...limits, handshakeTimeout: 10_000, ...tls }, answer)
  } catch (cause) {
    throw new ReltError('usage', `The certificate and its key cannot be used: ${(cause as Error).message}.`, {
      hint: 'Both must be PEM, and belong together.',
      cause,
    })
  }
}

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number) {
  const reasons: Record<string, [why: string, hint: string]> = {
    EADDRINUSE: ['the port is in use', 'Choose another with --port.'],
    EACCES: ['permission denied', 'Choose a port above 1023 with --port.'],
    EADDRNOTAVAIL: ['this machine has no such address', 'Choose another with --host.'],
    ENOTFOUND: ['there is no such host', 'Choose another with --host.'],
  }
  const [why, hint] = reasons[error.code ?? ''] ?? [error.message, undefined]
  return new ReltError('usage', `Cannot listen on ${host} port ${port}: ${why}.`, {
    ...(hint && { hint }),
    cause: error,
  })
}

function stop(server: Server, patienceMs: number) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(() => server.closeAllConnections(), patienceMs)
  // Closes idle connections now, and others when they become idle.
  const idle = setInterval(() => server.closeIdleConnections(), 50)
  server.close(() => {
    clearTimeout(timer)
    clearInterval(idle)
    resolve()
  })
  return promise
}

const statusOfParser: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

/** Answers malformed HTTP with a JSON error, unless an answer has started. */
function refuse(error: NodeJS.ErrnoException, duplex: unknown) {
  const socket = duplex as Socket & { _httpMessage?: ServerResponse }
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) return void socket.destroy()
  const status = statusOfParser[error.code ?? ''] ?? 400
  const { head, body } = malformedParts(status)
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${status} ${reasonFor[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

/** Answers a stalled request, unless an answer has started. */
function endStalled({ socket }: IncomingMessage, { headersSent }: ServerResponse) {
  if (headersSent) socket.destroy()
  else refuse(Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
}

const reasonFor: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

/** Requires exactly one Host header, as HTTP/1.1 demands; HTTP/1.0 has none. */
function namesItsHost({ rawHeaders, httpVersion }: IncomingMessage) {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count === 1 || (count === 0 && httpVersion === '1.0')
}

function refuseHostless(outgoing: ServerResponse) {
  const { head, body } = malformedParts(400)
  outgoing.writeHead(400, head).end(body)
}

function malformed(status: number) {
  const { head, body } = malformedParts(status)
  return new Response(body, { status, headers: head })
}

function malformedParts(status: number) {
  const { code, data } = wireError('usage', '')
  const body = JSON.stringify({
    code,
    message: `This is not a valid HTTP request: ${reasonFor[status]}.`,
    data: { ...data, status },
  })
  const head = {
    ...commonHeaders(toRequestId(undefined)),
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }
  return { head, body }
}

/** Maximum waiting requests, a few kilobytes each. Clients that pipeline send only a handful. */
const maxWaiting = 100

interface Turn {
  /** The answer that is being sent, or the last one. While requests wait, its end starts the next. */
  current: ServerResponse
  waiting: [IncomingMessage, ServerResponse][]
}

/**
 * Handles the requests of a connection in sequence. Node emits all pipelined requests at once and holds every answer in
 * memory until the first is read. Closes a connection with too many waiting requests.
 */
function answerInTurn(answer: RequestListener): RequestListener {
  const turns = new WeakMap<Socket, Turn>()
  function startNext(turn: Turn) {
    const [incoming, outgoing] = turn.waiting.shift()!
    if (!incoming.socket.writable) return
    turn.current = outgoing
    if (turn.waiting.length > 0) outgoing.once('close', () => startNext(turn))
    answer(incoming, outgoing)
  }
  return (incoming, outgoing) => {
    const { socket } = incoming
    const turn = turns.get(socket)
    if (!turn) turns.set(socket, { current: outgoing, waiting: [] })
    else if (turn.waiting.length >= maxWaiting) return void socket.destroy()
    else if (turn.waiting.length > 0 || !(turn.current.writableFinished || turn.current.closed)) {
      // The listener is only added for the few clients that pipeline.
      if (turn.waiting.push([incoming, outgoing]) === 1) turn.current.once('close', () => startNext(turn))
      return
    } else turn.current = outgoing
    answer(incoming, outgoing)
  }
}

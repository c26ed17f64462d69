import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Bytes that must be transferred in a window. A slow request or an unread answer costs memory and a socket. */
const usualWindowMs = 15_000
const bytesPerWindow = 32 * 1024

interface Exchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
  /** Start of the window, in milliseconds, and the bytes transferred until then. */
  mark: { at: number; bytes: number } | undefined
}

/** Watches the transfer rate of connections. `onStall` is called for those that are too slow, and ends them. */
export class StallWatch {
  readonly #exchanges = new Map<Socket, Exchange>()
  readonly #onStall: (incoming: IncomingMessage, outgoing: ServerResponse) => void
  readonly #windowMs: number
  readonly #timer: NodeJS.Timeout

  constructor(onStall: (incoming: IncomingMessage, outgoing: ServerResponse) => void, windowMs = usualWindowMs) {
    this.#onStall = onStall
    this.#windowMs = windowMs
    this.#timer = setInterval(() => this.#check(performance.now()), windowMs / 6).unref()
  }

  /** Watches only the latest request of a connection: earlier answers are sent first, over the same socket. */
  add(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming
    const exchange = this.#exchanges.get(socket)
    if (exchange) {
      exchange.incoming = incoming
      exchange.outgoing = outgoing
      return
    }
    this.#exchanges.set(socket, { incoming, outgoing, mark: undefined })
    socket.once('close', () => this.#exchanges.delete(socket))
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #check(now: number): void {
    for (const [socket, exchange] of this.#exchanges) {
      const { incoming, outgoing, mark } = exchange
      if (!isWaitingFor(incoming, outgoing)) {
        exchange.mark = undefined
        continue
      }
      const bytes = passedBytes(socket)
      if (mark && now - mark.at < this.#windowMs) continue
      if (mark && bytes - mark.bytes < bytesPerWindow) this.#onStall(incoming, outgoing)
      else exchange.mark = { at: now, bytes }
    }
  }
}

/** Whether the client must act: send the rest of a body, or read an answer. */
function isWaitingFor(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
  if (outgoing.headersSent && !outgoing.writableFinished) return true
  return !incoming.complete && incoming.readableLength === 0
}

/** Bytes received, and bytes sent excluding those still in the socket's queue. */
function passedBytes(socket: Socket & { _handle?: { writeQueueSize?: number } | null }) {
  return socket.bytesRead + socket.bytesWritten - (socket._handle?.writeQueueSize ?? 0)
}

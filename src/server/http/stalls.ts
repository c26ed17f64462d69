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
export function watchStalls(
  onStall: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
  windowMs = usualWindowMs,
) {
  const exchanges = new Map<Socket, Exchange>()
  const timer = setInterval(() => check(performance.now()), windowMs / 6).unref()
  return { add, stop: () => clearInterval(timer) }

  /** Watches only the latest request of a connection: earlier answers are sent first, over the same socket. */
  function add(incoming: IncomingMessage, outgoing: ServerResponse) {
    const { socket } = incoming
    const exchange = exchanges.get(socket)
    if (exchange) {
      exchange.incoming = incoming
      exchange.outgoing = outgoing
      return
    }
    exchanges.set(socket, { incoming, outgoing, mark: undefined })
    socket.once('close', () => exchanges.delete(socket))
  }

  function check(now: number) {
    for (const [socket, exchange] of exchanges) {
      const { incoming, outgoing, mark } = exchange
      if (!isWaitingFor(incoming, outgoing)) {
        exchange.mark = undefined
        continue
      }
      const bytes = passedBytes(socket)
      if (mark && now - mark.at < windowMs) continue
      if (mark && bytes - mark.bytes < bytesPerWindow) onStall(incoming, outgoing)
      else exchange.mark = { at: now, bytes }
    }
  }
}

/** Whether the client must act: send the rest of a body, or read an answer. */
function isWaitingFor(incoming: IncomingMessage, outgoing: ServerResponse) {
  if (outgoing.headersSent && !outgoing.writableFinished) return true
  return !incoming.complete && incoming.readableLength === 0
}

/** Bytes received, and bytes sent excluding those still in the socket's queue. */
function passedBytes(socket: Socket & { _handle?: { writeQueueSize?: number } | null }) {
  return socket.bytesRead + socket.bytesWritten - (socket._handle?.writeQueueSize ?? 0)
}

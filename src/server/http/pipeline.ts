import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A request that waits costs a few kilobytes. Clients that pipeline at all send a handful. */
const maxWaiting = 100

/**
 * Answers the requests of a connection one after the other. Node hands over all pipelined requests at once and holds
 * every answer in memory until the first is read. A connection with too many waiting requests is closed.
 */
export function answerInTurn(answer: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, [IncomingMessage, ServerResponse][]>()
  function start(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming
    outgoing.once('close', () => {
      const next = waiting.get(socket)!.shift()
      if (!next) waiting.delete(socket)
      else if (socket.writable) start(...next)
    })
    answer(incoming, outgoing)
  }
  return (incoming, outgoing) => {
    const { socket } = incoming
    const queue = waiting.get(socket)
    if (!queue) {
      waiting.set(socket, [])
      start(incoming, outgoing)
    } else if (queue.length < maxWaiting) queue.push([incoming, outgoing])
    else socket.destroy()
  }
}

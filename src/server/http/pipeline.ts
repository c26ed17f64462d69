import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Maximum waiting requests, a few kilobytes each. Clients that pipeline send only a handful. */
const maxWaiting = 100

type Exchange = [IncomingMessage, ServerResponse]

interface Turn {
  /** The answer that is being sent, or the last one. While requests wait, its end starts the next. */
  current: ServerResponse
  waiting: Exchange[]
}

/**
 * Handles the requests of a connection in sequence. Node emits all pipelined requests at once and holds every answer in
 * memory until the first is read. Closes a connection with too many waiting requests.
 */
export function answerInTurn(answer: RequestListener): RequestListener {
  const turns = new WeakMap<Socket, Turn>()
  function startNext(turn: Turn): void {
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
    else if (turn.waiting.length > 0 || !isSent(turn.current)) {
      // The listener is only added for the few clients that pipeline.
      if (turn.waiting.push([incoming, outgoing]) === 1) turn.current.once('close', () => startNext(turn))
      return
    } else turn.current = outgoing
    answer(incoming, outgoing)
  }
}

const isSent = ({ writableFinished, closed }: ServerResponse) => writableFinished || closed

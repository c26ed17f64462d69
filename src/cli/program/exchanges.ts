import type { OnExchange } from '../../client/exchange.ts'
import { plain } from '../../render/terminal/terminal.ts'
import type { Io } from '../output/io.ts'

/** One line for each request to a server: what was asked, what came, how long it took. */
export function traceExchanges(io: Io): OnExchange {
  return ({ method, url, attempt, ms, status, failure, requestId, bytes, cached }) => {
    const parts = [
      `${method} ${url}`,
      cached ? 'from the cache' : (status ?? failure ?? 'no answer'),
      ...(bytes === undefined ? [] : [`${bytes} bytes`]),
      `${Math.round(ms)} ms`,
      ...(attempt > 1 ? [`attempt ${attempt}`] : []),
      ...(requestId ? [`request ${requestId}`] : []),
    ]
    io.err(`${io.errColor.dim(plain(parts.join(' · ')))}\n`)
  }
}

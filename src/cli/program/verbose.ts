import type { RouteCaller } from '../../client/client.ts'
import type { OnExchange } from '../../client/exchange.ts'
import type { Context } from '../../context.ts'
import { plain } from '../../render/terminal/terminal.ts'
import type { Io } from '../output/io.ts'

/** A context that logs the duration of each call. Does not log requests, because they may contain secrets. */
export function traceCalls(context: Context, io: Io): Context {
  const tell = (name: string, start: number, end: string) =>
    io.err(io.errColor.dim(`${name}: ${end} after ${(performance.now() - start).toFixed(1)} ms\n`))
  return {
    ...context,
    client: async () => {
      const client = await context.client()
      const call: RouteCaller['call'] = async (name, input) => {
        const start = performance.now()
        try {
          const answer = await client.call(name, input)
          tell(name, start, 'answered')
          return answer
        } catch (error) {
          tell(name, start, 'failed')
          throw error
        }
      }
      return { ...client, call }
    },
  }
}

/** Logs one line per request to a server: request, response and duration. */
export function traceExchanges(io: Io): OnExchange {
  return ({ method, url, attempt, ms, status, failure, requestId, bytes }) => {
    const parts = [
      `${method} ${url}`,
      status ?? failure ?? 'no answer',
      ...(bytes === undefined ? [] : [`${bytes} bytes`]),
      `${Math.round(ms)} ms`,
      ...(attempt > 1 ? [`attempt ${attempt}`] : []),
      ...(requestId ? [`request ${requestId}`] : []),
    ]
    io.err(`${io.errColor.dim(plain(parts.join(' · ')))}\n`)
  }
}

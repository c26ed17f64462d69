import type { Client } from '../../client/client.ts'
import type { Context } from '../../context.ts'
import type { Io } from '../output/io.ts'

/** A context that logs the time of each call. Requests are not logged, because they may hold secrets. */
export function traceCalls(context: Context, io: Io): Context {
  const tell = (name: string, start: number, end: string) =>
    io.err(io.errColor.dim(`${name}: ${end} after ${(performance.now() - start).toFixed(1)} ms\n`))
  return {
    ...context,
    client: async () => {
      const client = await context.client()
      const call: Client['call'] = async (name, input) => {
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

import { Hono } from 'hono'
import type { Env } from '../../config/env.ts'
import { isSame } from './identify.ts'
import { type Listening, listen } from './listen.ts'
import type { Metrics } from './metrics.ts'
import type { HttpEnv } from './state.ts'

/** The metrics on a port of their own, which only this machine reaches. */
export function serveMetrics(metrics: Metrics, port: number, { RELT_METRICS_TOKEN: token }: Env): Promise<Listening> {
  const app = new Hono<HttpEnv>()
  app.get('/metrics', async (c) => {
    if (token && !isSame(c.req.header('authorization') ?? '', `Bearer ${token}`)) return c.text('', 401)
    return c.body(await metrics.text(), 200, { 'Content-Type': metrics.contentType })
  })
  return listen({ app, answerKept: () => false }, { host: '127.0.0.1', port })
}

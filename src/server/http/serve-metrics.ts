import { Hono } from 'hono'
import type { Env } from '../../config/env.ts'
import { isSame } from './identify.ts'
import { listen, type RunningServer } from './listen.ts'
import type { Metrics } from './metrics.ts'
import type { HttpEnv } from './state.ts'

/** Serves metrics on a separate port, reachable only from this machine. */
export function serveMetrics(
  metrics: Metrics,
  port: number,
  { RELT_METRICS_TOKEN: token }: Env,
): Promise<RunningServer> {
  const app = new Hono<HttpEnv>()
  app.get('/metrics', async (c) => {
    if (token && !isSame(c.req.header('authorization') ?? '', `Bearer ${token}`)) return c.text('', 401)
    return c.body(await metrics.text(), 200, { 'Content-Type': metrics.contentType })
  })
  return listen({ app, answerKept: () => false }, { host: '127.0.0.1', port })
}

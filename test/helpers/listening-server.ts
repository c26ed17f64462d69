import { createHttpApp } from '../../src/server/http/app.ts'
import { readConnectionLimits } from '../../src/server/http/connections.ts'
import { listen, type RunningServer } from '../../src/server/http/listen.ts'
import { readRateLimits } from '../../src/server/http/rate-limit.ts'
import { readTrustedProxies } from '../../src/server/http/trusted-proxies.ts'
import { openService } from '../../src/service/service.ts'
import { createLogger } from '../../src/util/log.ts'
import { Lines } from '../server/http.ts'

/**
 * `startServer` on the store of `RELT_HOME`, without threads: this one answers heavy routes, and no background task runs.
 * Starting the threads of a server takes longer than most tests. Limits of requests are off.
 */
export async function startListening(env: Record<string, string>, now: () => number, port = 0): Promise<RunningServer> {
  const settings = { ...env, RELT_RATE_LIMIT_USER: '0', RELT_RATE_LIMIT_ADDRESS: '0' }
  const service = await openService({ env: settings, now, folder: env.RELT_HOME!, patienceMs: 10_000 })
  const trusted = readTrustedProxies(undefined)
  let stopping = false
  const app = createHttpApp(service, {
    rateLimits: readRateLimits(settings),
    logger: createLogger(new Lines(), 'silent'),
    trusted,
    isStopping: () => stopping,
  })
  try {
    const address = { host: '127.0.0.1', port, connections: readConnectionLimits(settings), trusted }
    const listening = await listen(app, address)
    return {
      ...listening,
      stop: async (patienceMs) => {
        stopping = true
        await listening.stop(patienceMs)
        await service.db.destroy()
      },
    }
  } catch (error) {
    await service.db.destroy()
    throw error
  }
}

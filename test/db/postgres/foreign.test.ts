import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { sql } from 'kysely'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { openPostgres, type PostgresAddress } from '../../../src/db/postgres/open.ts'
import { runCli, temporaryFolder } from '../../helpers/cli.ts'
import { makeDatabase, openTestDatabase } from '../../helpers/postgres.ts'
import { canMakeCertificates, makeCertificate } from '../../helpers/tls-server.ts'

const server = inject('postgres')!

describe.skipIf(!server)('a database that is not of this relt', () => {
  /** A database that another program has made. */
  async function makeForeign(...statements: string[]): Promise<PostgresAddress> {
    const address = await makeDatabase(server, 'template0')
    const client = new (await import('pg')).default.Client({ ...server, database: address.database })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
    return address
  }

  test.each([
    ['has tables', ['create table invoice (id bigint)', 'insert into invoice values (1)']],
    [
      'has a version table with texts',
      ['create table schema_version (version text)', "insert into schema_version values ('3')"],
    ],
    [
      'has a version table with a number',
      ['create table schema_version (version int)', 'insert into schema_version values (3)'],
    ],
    ['has an empty version table', ['create table schema_version (version bigint)']],
  ])('that %s is left as it is', async (_, statements) => {
    const address = await makeForeign(...statements)
    await expect(openPostgres(address)).rejects.toMatchObject({
      code: 'store_unusable',
      message: 'The database was not written by this relt, and was left as it is.',
    })
    const client = new (await import('pg')).default.Client({ ...server, database: address.database })
    await client.connect()
    const { rows } = await client.query(
      "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    )
    const kept = await client.query(`select count(*)::int as count from ${rows[0].relname}`)
    await client.end()
    expect(rows.length).toBe(1)
    expect(kept.rows[0].count).toBe(statements.length - 1)
  })

  test('that another commit made with other tables is refused', async () => {
    const address = await makeDatabase(server)
    const db = await openPostgres(address)
    for (const change of ['set application = application + 1', 'drop column application']) {
      const statement = change.startsWith('drop') ? `alter table relt_schema ${change}` : `update relt_schema ${change}`
      await sql.raw(statement).execute(db)
      await expect(openPostgres(address)).rejects.toMatchObject({
        message: 'The database was not written by this relt, and was left as it is.',
      })
    }
    await db.destroy()
  })

  test('of a newer relt is refused', async () => {
    const address = await makeDatabase(server)
    const db = await openPostgres(address)
    await sql`update relt_schema set version = version + 1`.execute(db)
    await db.destroy()
    await expect(openPostgres(address)).rejects.toMatchObject({
      code: 'store_unusable',
      message: 'The store was written by a newer relt.',
    })
  })
})

test.skipIf(!server)('no command shows the password of the database', async () => {
  const db = await openTestDatabase(server)
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  await db.destroy()
  const place = `${server.host}:${server.port}`
  const addresses = [
    `postgres://relt:hunter2@${place}/${rows[0]!.name}`,
    `postgres://relt:hunter2@${place}/absent`,
    `postgres://relt:hunter2@127.0.0.1:1/x`,
    `postgres://relt:hunter2@${place}/x?sslmode=require`,
    `postgres://nobody:hunter2@${place}/${rows[0]!.name}`,
  ]
  for (const url of addresses) {
    for (const argv of [
      ['doctor', '--json'],
      ['admin', 'users', 'list', '--json'],
      ['admin', 'users', 'list'],
    ]) {
      const env = { RELT_DATABASE_URL: url, PGPASSWORD: 'hunter2' }
      const { code, stdout, stderr } = await runCli(argv, { home: temporaryFolder(), env })
      expect(stdout + stderr).not.toContain('hunter2')
      if (argv[0] === 'admin') expect(code).not.toBe(0)
    }
  }
})

describe.skipIf(!canMakeCertificates)('a server with TLS', () => {
  /** Counts connections whose client sent something after it had seen the certificate, such as a password. */
  async function openImpostor(name: string) {
    const { cert, key, file } = makeCertificate(name)
    const trusting: Socket[] = []
    const listener = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.write('S')
        const secured = new TLSSocket(socket, { isServer: true, cert, key })
        secured.on('error', () => {})
        secured.once('data', () => {
          trusting.push(secured)
          secured.destroy()
        })
      })
    })
    listener.listen(0, '127.0.0.1')
    await once(listener, 'listening')
    onTestFinished(() => void listener.close())
    const { port } = listener.address() as { port: number }
    return { port, ca: (await import('node:fs')).readFileSync(file, 'utf8'), trusting }
  }

  test.each([
    ['127.0.0.1', 'IP:127.0.0.1', true],
    ['127.0.0.1', 'DNS:localhost', false],
    ['127.0.0.1', 'IP:127.0.0.2', false],
    ['localhost', 'DNS:localhost', true],
    ['localhost', 'DNS:db.example', false],
  ])('named %s with a certificate for %s gets credentials: %s', async (host, name, isTrusted) => {
    const { port, ca, trusting } = await openImpostor(name)
    const env = { RELT_DATABASE_URL: `postgres://relt:hunter2@${host}:${port}/x?sslmode=verify-full` }
    const { readDatabaseAddress } = await import('../../../src/config/database.ts')
    const address = readDatabaseAddress(env)!
    await expect(openPostgres({ ...address, tls: { ...(address.tls || {}), ca } })).rejects.toMatchObject({
      // It ends the connection when it has the credentials, as a server that stops.
      code: isTrusted ? 'busy' : 'store_unusable',
    })
    expect(trusting.length > 0).toBe(isTrusted)
  })

  test('that no authority vouches for gets no credentials', async () => {
    const { port, trusting } = await openImpostor('DNS:localhost')
    const address = { host: 'localhost', port, user: 'relt', password: 'hunter2', database: 'x', tls: {} }
    await expect(openPostgres(address)).rejects.toMatchObject({ code: 'store_unusable' })
    expect(trusting).toEqual([])
  })
})

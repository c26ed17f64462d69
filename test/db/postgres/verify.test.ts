import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { copyStore } from '../../../src/admin/store-copy.ts'
import { openPostgres } from '../../../src/db/postgres/open.ts'
import { runCli, temporaryFolder } from '../../helpers/cli.ts'
import { makeDatabase, runAsAdministrator, toAddress } from '../../helpers/postgres.ts'
import { makeSmallStore } from '../../helpers/small-store.ts'

const server = inject('postgres')!

test.skipIf(!server)('verify finds what is wrong in a database, and says what it does not check', async () => {
  const home = join(temporaryFolder(), 'home')
  const [, , third] = await makeSmallStore(home)
  const database = `verified_${process.pid}`
  await runAsAdministrator(server, `create database ${database} encoding 'UTF8' template template0`)
  const url = `postgres://relt@${server.host}:${server.port}/${database}`
  await copyStore({ env: { PGPASSWORD: server.password, RELT_HOME: home }, data: home, to: url })
  const run = (argv: string[] = [], more = {}) =>
    runCli(['admin', 'verify', ...argv], { home, env: { PGPASSWORD: server.password, ...more } })

  expect(await run(['--data', url])).toMatchObject({
    code: 0,
    stdout: `${url} is intact: 3 runs, all encrypted data can be read (15 parts).\n`,
    stderr: expect.stringContaining('Not checked: pages and indexes'),
  })
  const db = await openPostgres(toAddress(server, database))
  onTestFinished(() => db.destroy())
  await sql`update run_part set sealed = set_byte(sealed, 30, 255 - get_byte(sealed, 30))
    where run_id = 1 and kind = 'context'`.execute(db)
  await sql`delete from run_part where run_id = 3 and kind = 'report'`.execute(db)
  await sql`alter table label disable trigger all`.execute(db)
  await sql`insert into label (user_id, name, color) values (99, 'a', 'b')`.execute(db)
  const found = await run(['--json'], { RELT_DATABASE_URL: url })
  expect(found.code).toBe(1)
  expect(JSON.parse(found.stdout)).toMatchObject({
    success: false,
    file: url,
    schema: expect.any(Number),
    counts: { run: 3 },
    pieces: 13,
    problems: [
      '1 rows of label belong to nothing',
      `run ${third} is incomplete`,
      expect.stringMatching(/^context 0 of crun_\w+ does not open$/),
    ],
    not_decrypted: null,
    not_checked: [expect.stringContaining('pages')],
  })
})

test.skipIf(!server)('verify refuses a database without a store, and one that is not there', async () => {
  const home = temporaryFolder()
  const run = (database: string) =>
    runCli(['admin', 'verify'], {
      home,
      env: { RELT_DATABASE_URL: `postgres://relt:hunter2@${server.host}:${server.port}/${database}`, ...password },
    })
  const password = { RELT_KEYCHAIN: 'off' }
  const refused = await run('postgres')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be opened: password') })
  expect(refused.stderr).not.toContain('hunter2')
  const { database } = await makeDatabase(server, 'template0')
  const empty = await runCli(['admin', 'verify'], {
    home,
    env: {
      RELT_DATABASE_URL: `postgres://relt@${server.host}:${server.port}/${database}`,
      PGPASSWORD: server.password,
    },
  })
  expect(empty).toMatchObject({ code: 1, stderr: expect.stringContaining('is not a store of relt') })
})

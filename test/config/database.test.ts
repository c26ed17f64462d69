import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createLocalClient } from '../../src/client/local.ts'
import { readDatabaseAddress } from '../../src/config/database.ts'
import { placeOfStore, requireStoreFile } from '../../src/config/store-place.ts'
import { runCli, temporaryFolder, testNow } from '../helpers/cli.ts'

const read = (url: string, env = {}) => readDatabaseAddress({ RELT_DATABASE_URL: url, ...env })

describe('RELT_DATABASE_URL', () => {
  test('without it the store is a file', () => {
    expect(readDatabaseAddress({})).toBeUndefined()
  })

  test('names host, port, user, database and password', () => {
    expect(read('postgres://relt:p%40ss@127.0.0.1:6543/store')).toEqual({
      host: '127.0.0.1',
      port: 6543,
      user: 'relt',
      database: 'store',
      password: 'p@ss',
      tls: false,
    })
  })

  test('takes the password from a file before PGPASSWORD', () => {
    const file = join(temporaryFolder(), 'password')
    writeFileSync(file, 'from file\n')
    const env = { RELT_DATABASE_PASSWORD_FILE: file, PGPASSWORD: 'from env' }
    expect(read('postgres://relt@localhost/store', env)?.password).toBe('from file')
    expect(read('postgres://relt@localhost/store', { PGPASSWORD: 'from env' })?.password).toBe('from env')
  })

  test('verifies the certificate of a server beyond this machine', () => {
    expect(read('postgres://relt@db.example/store')?.tls).toEqual({ ca: undefined, servername: 'db.example' })
    expect(read('postgres://relt@db.example/store?sslmode=require')?.tls).toEqual({
      ca: undefined,
      servername: 'db.example',
    })
    expect(read('postgres://relt@db.example/store?sslmode=disable')?.tls).toBe(false)
    expect(read('postgres://relt@[::1]/store')?.tls).toBe(false)
  })

  test.each([
    'mysql://relt:secret@localhost/store',
    'postgres://relt:secret@db.example/store?sslmode=prefer',
    'postgres://relt:secret@db.example/store?options=-csearch_path',
    'postgres://:secret@localhost/store',
    'postgres://relt:secret%@localhost/store',
    'relt:secret@localhost',
  ])('refuses %s without repeating it', (url) => {
    expect(() => read(url)).toThrow(expect.objectContaining({ code: 'usage' }))
    expect(() => read(url)).not.toThrow(/secret/)
  })
})

/** No server listens there. */
const nobody = 'postgres://relt@127.0.0.1:1/store'

describe('--data', () => {
  test('takes the address of a database in place of RELT_DATABASE_URL', () => {
    const { env, folder } = placeOfStore({ RELT_HOME: '/home/relt' }, 'postgres://relt@localhost/store')
    expect(env.RELT_DATABASE_URL).toBe('postgres://relt@localhost/store')
    expect(folder).toBe('/home/relt')
  })

  test('takes the file of a folder in place of RELT_DATABASE_URL', () => {
    const { env, folder } = placeOfStore({ RELT_DATABASE_URL: nobody }, '/srv/relt')
    expect(env.RELT_DATABASE_URL).toBeUndefined()
    expect(folder).toBe('/srv/relt')
  })

  test('reaches the store of the folder', async () => {
    const [home, data] = [temporaryFolder(), temporaryFolder()]
    const env = { RELT_HOME: home, RELT_KEYCHAIN: 'off', RELT_DATABASE_URL: nobody }
    await runCli(['labels', 'list'], { home: data })
    const client = await createLocalClient({ env, now: () => testNow, data })
    expect(await client.call('listLabels', {})).toMatchObject({ labels: [] })
    await client.close()
    for (const argv of [['users', 'list'], ['verify']]) {
      expect(await runCli(['admin', ...argv, '--data', data], { home, env })).toMatchObject({ code: 0, stderr: '' })
    }
  })

  test('refuses a password, which other processes can read', () => {
    const place = () => placeOfStore({}, 'postgres://relt:secret@localhost/store')
    expect(place).toThrow('A password in --data is visible')
    expect(place).not.toThrow(/secret/)
  })
})

test('backups of files are refused for PostgreSQL', () => {
  expect(() => requireStoreFile({ RELT_DATABASE_URL: 'postgres://x@y/z' }, '`relt admin backup`')).toThrow(
    '`relt admin backup` is not for PostgreSQL.',
  )
  expect(() => requireStoreFile({}, '`relt admin backup`')).not.toThrow()
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readBounds } from '../../src/spool/bounds.ts'
import { temporaryFolder, testNow } from '../helpers/cli.ts'
import { entryWith, openSpool } from './entries.ts'

describe('a full spool', () => {
  test('refuses an upload, counts refused and broken ones, and deletes nothing', () => {
    const { spool } = openSpool({ limits: { count: 3 } })
    const [first, second] = [1, 2, 3].map((number) => spool.put(entryWith(number), testNow).id)
    spool.failed(spool.find(first!)!, { error: 'no', refused: true })
    writeFileSync(join(spool.folder, `${second}.upload`), 'x')
    spool.list()
    expect(spool.usage()).toMatchObject({ waiting: 1, refused: 1, broken: 1 })
    expect(() => spool.put(entryWith(4), testNow)).toThrow(/is full: the limit is 3 uploads or 1024 MB/)
    spool.remove(second!)
    spool.put(entryWith(4), testNow)
    expect(spool.list().map(({ cluster }) => cluster)).toEqual(['shop-3', 'shop-4'])
  })

  test('refuses what exceeds its size', () => {
    const { spool } = openSpool({ limits: { bytes: 5000 } })
    spool.put(entryWith(1), testNow)
    const noise = Buffer.from(JSON.stringify(Array.from({ length: 5000 }, () => Math.random())))
    expect(() => spool.put(entryWith(2, { report: noise }), testNow)).toThrow(/is full/)
    expect(spool.usage().waiting).toBe(1)
  })
})

describe('bounds', () => {
  const usual = { count: 100_000, bytes: 1024 ** 3 }

  test('are 1 GB', () => {
    expect(readBounds({ RELT_HOME: temporaryFolder() })).toEqual(usual)
  })

  test('come from the environment, else from the settings', () => {
    const home = temporaryFolder()
    writeFileSync(join(home, 'config.json'), JSON.stringify({ spool_max_size_mb: 7 }))
    expect(readBounds({ RELT_HOME: home })).toEqual({ ...usual, bytes: 7 * 1024 ** 2 })
    const env = { RELT_HOME: home, RELT_SPOOL_MAX_SIZE_MB: '5' }
    expect(readBounds(env)).toEqual({ ...usual, bytes: 5 * 1024 ** 2 })
  })

  test.each(['0', '1000001', 'many'])('of %s MB are refused', (value) => {
    const env = { RELT_HOME: temporaryFolder(), RELT_SPOOL_MAX_SIZE_MB: value }
    expect(() => readBounds(env)).toThrow('RELT_SPOOL_MAX_SIZE_MB is not valid')
  })

  test('of the environment hold for a spool without its own', () => {
    const { spool } = openSpool({ env: { RELT_SPOOL_MAX_SIZE_MB: '1' } })
    const noise = Buffer.from(JSON.stringify(Array.from({ length: 150_000 }, () => Math.random())))
    expect(() => spool.put(entryWith(1, { report: noise }), testNow)).toThrow(/1 MB/)
  })
})

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readBounds } from '../../src/spool/bounds.ts'
import { readDropped, recordDropped } from '../../src/spool/dropped.ts'
import type { Spool } from '../../src/spool/spool.ts'
import { temporaryFolder, testNow } from '../helpers/cli.ts'
import { entryWith, openSpool } from './entries.ts'

const clusters = (spool: Spool) => spool.list().map(({ cluster }) => cluster)
const put = (spool: Spool, ...numbers: number[]) => numbers.map((number) => spool.put(entryWith(number), testNow).id)
const refuse = (spool: Spool, id: string) => spool.failed(spool.find(id)!, { error: 'no', refused: true })

describe('a spool that keeps the newest', () => {
  test('deletes the oldest when it is full, with a line and a warning for each', () => {
    const { spool, warnings } = openSpool({ limits: { count: 2, whenFull: 'keep-newest' } })
    const ids = put(spool, 1, 2, 3)
    expect(clusters(spool)).toEqual(['shop-2', 'shop-3'])
    const reason = 'the spool is full (2 uploads or 1024 MB)'
    expect(spool.dropped()).toEqual([{ id: ids[0], at: testNow, cluster: 'shop-1', reason }])
    expect(warnings).toEqual([
      `The upload ${ids[0]} of shop-1, queued 2026-09-01 12:00:00, was deleted unsent: ${reason}.`,
    ])
  })

  test('deletes broken uploads first, then refused ones', () => {
    const { spool } = openSpool({ limits: { count: 3, whenFull: 'keep-newest' } })
    const [, second, third] = put(spool, 1, 2, 3)
    refuse(spool, second!)
    const file = join(spool.folder, `${third}.upload`)
    writeFileSync(file, readFileSync(file).subarray(0, 100))
    expect(clusters(spool)).toEqual(['shop-1'])
    put(spool, 4)
    expect(spool.dropped().map(({ id }) => id)).toEqual([third])
    put(spool, 5)
    expect(spool.dropped().map(({ id }) => id)).toEqual([third, second])
    expect([clusters(spool), spool.usage()]).toMatchObject([
      ['shop-1', 'shop-4', 'shop-5'],
      { waiting: 3, refused: 0, broken: 0 },
    ])
    put(spool, 6)
    expect(clusters(spool)).toEqual(['shop-4', 'shop-5', 'shop-6'])
  })

  test('deletes as many as the size needs, and nothing for an upload that never fits', () => {
    const { spool } = openSpool({ limits: { bytes: 5000, whenFull: 'keep-newest' } })
    put(spool, 1, 2, 3)
    expect(clusters(spool)).toEqual(['shop-1', 'shop-2', 'shop-3'])
    put(spool, 4, 5)
    expect(spool.usage().bytes).toBeLessThanOrEqual(5000)
    expect(clusters(spool).at(-1)).toBe('shop-5')
    const before = clusters(spool)
    const noise = Buffer.from(JSON.stringify(Array.from({ length: 5000 }, () => Math.random())))
    expect(() => spool.put(entryWith(6, { report: noise }), testNow)).toThrow(/is full/)
    expect(clusters(spool)).toEqual(before)
  })

  test('deletes nothing while the line cannot be written', () => {
    const { spool } = openSpool({ limits: { count: 1, whenFull: 'keep-newest' } })
    put(spool, 1)
    // A folder in its place takes no line.
    mkdirSync(join(spool.folder, 'dropped.jsonl'))
    expect(() => put(spool, 2)).toThrow(/cannot be written/)
    expect(clusters(spool)).toEqual(['shop-1'])
  })
})

describe('the bound of age', () => {
  test('deletes what is older, waiting and refused, and tells why', () => {
    const { spool } = openSpool({ limits: { maxAge: 3600 } })
    const old = [1, 2].map((number) => spool.put(entryWith(number), testNow - 3601).id)
    refuse(spool, old[0]!)
    const [young] = [spool.put(entryWith(3), testNow - 3600).id]
    spool.expire(testNow)
    expect(spool.dropped().map(({ id, reason }) => [id, reason])).toEqual([
      [old[0], 'it is older than 1h'],
      [old[1], 'it is older than 1h'],
    ])
    expect(spool.list().map(({ id }) => id)).toEqual([young])
  })

  test('is kept by the next upload', () => {
    const { spool } = openSpool({ limits: { maxAge: 3600 } })
    spool.put(entryWith(1), testNow - 4000)
    put(spool, 2)
    expect(clusters(spool)).toEqual(['shop-2'])
  })

  test('deletes nothing when there is none', () => {
    const { spool } = openSpool()
    spool.put(entryWith(1), 0)
    spool.expire(testNow)
    expect(clusters(spool)).toEqual(['shop-1'])
  })
})

describe('the log of deleted uploads', () => {
  const line = (number: number) => ({ id: `spl_${number}`, at: number, cluster: null, reason: 'x'.repeat(200) })

  test('loses its older half when it grows too long', () => {
    const file = join(temporaryFolder(), 'dropped.jsonl')
    for (let number = 0; number < 2000; number++) recordDropped(file, line(number))
    const read = readDropped(file)
    expect(readFileSync(file).length).toBeLessThanOrEqual(256 * 1024)
    expect(read.at(-1)).toEqual(line(1999))
    expect(read.length).toBeGreaterThan(400)
    expect(read.map(({ at }) => at)).toEqual(Array.from({ length: read.length }, (_, i) => 2000 - read.length + i))
  })

  test.each([
    ['{"id":"a"'],
    ['[]'],
    ['{"id":1,"at":1,"cluster":null,"reason":"x"}'],
    ['{"id":"a","at":1.5,"cluster":null,"reason":"x"}'],
    ['{"id":"a","at":1,"cluster":1,"reason":"x"}'],
    ['{"id":"a","at":1,"cluster":null}'],
  ])('skips the line %s', (text) => {
    const file = join(temporaryFolder(), 'dropped.jsonl')
    writeFileSync(file, `${text}\n${JSON.stringify(line(1))}\n`)
    expect(readDropped(file)).toEqual([line(1)])
  })

  test('is empty when there is no file', () => {
    expect(readDropped(join(temporaryFolder(), 'none'))).toEqual([])
  })
})

describe('bounds', () => {
  const usual = { count: 100_000, bytes: 1024 ** 3, maxAge: undefined, whenFull: 'keep-oldest' }
  const env = { RELT_SPOOL_MAX_SIZE_MB: '5', RELT_SPOOL_MAX_AGE: '2d', RELT_SPOOL_WHEN_FULL: 'keep-newest' }
  const read = { ...usual, bytes: 5 * 1024 ** 2, maxAge: 172_800, whenFull: 'keep-newest' }

  test('are 1 GB of any age, and the oldest are kept', () => {
    expect(readBounds({ RELT_HOME: temporaryFolder() })).toEqual(usual)
  })

  test('come from the environment, else from the settings', () => {
    const home = temporaryFolder()
    const file = { spool_max_size_mb: 7, spool_max_age: '1h', spool_when_full: 'keep-newest' }
    writeFileSync(join(home, 'config.json'), JSON.stringify(file))
    const fromFile = { ...usual, bytes: 7 * 1024 ** 2, maxAge: 3600, whenFull: 'keep-newest' }
    expect(readBounds({ RELT_HOME: home })).toEqual(fromFile)
    expect(readBounds({ RELT_HOME: home, ...env, RELT_SPOOL_WHEN_FULL: 'keep-oldest' })).toEqual({
      ...read,
      whenFull: 'keep-oldest',
    })
  })

  test.each([
    ['RELT_SPOOL_MAX_SIZE_MB', '0'],
    ['RELT_SPOOL_MAX_SIZE_MB', '1000001'],
    ['RELT_SPOOL_MAX_AGE', '59m'],
    ['RELT_SPOOL_MAX_AGE', '367d'],
    ['RELT_SPOOL_MAX_AGE', 'long'],
    ['RELT_SPOOL_WHEN_FULL', 'keep-both'],
  ])('%s=%s is refused', (name, value) => {
    expect(() => readBounds({ RELT_HOME: temporaryFolder(), [name]: value })).toThrow(`${name} is not valid`)
  })

  test('of the environment hold for a spool without its own', () => {
    const { spool } = openSpool({ env: { ...env, RELT_SPOOL_MAX_AGE: '1h' } })
    spool.put(entryWith(1), testNow - 4000)
    put(spool, 2)
    expect(clusters(spool)).toEqual(['shop-2'])
    expect(existsSync(join(spool.folder, 'dropped.jsonl'))).toBe(true)
  })
})

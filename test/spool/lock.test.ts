import fs, { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { withLock } from '../../src/spool/lock.ts'
import { temporaryFolder } from '../helpers/cli.ts'

test('one works, another is told that it does', async () => {
  const file = join(temporaryFolder(), 'spool', 'lock')
  const first = Promise.withResolvers<void>()
  const working = withLock(file, () => first.promise)
  expect(await withLock(file, async () => 'second')).toBeUndefined()
  first.resolve()
  await working
  expect(await withLock(file, async () => 'third')).toEqual({ result: 'third' })
})

test('work that fails gives the lock back', async () => {
  const file = join(temporaryFolder(), 'lock')
  await expect(withLock(file, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await withLock(file, async () => 1)).toEqual({ result: 1 })
})

test('the lock of a process that was killed is taken over, by one only', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'lock')
  writeFileSync(file, 'killed')
  expect(await withLock(file, async () => 1)).toBeUndefined()
  utimesSync(file, new Date(0), new Date(0))
  const end = Promise.withResolvers<void>()
  const all = Array.from({ length: 8 }, () => withLock(file, () => end.promise.then(() => 'mine')))
  end.resolve()
  expect((await Promise.all(all)).filter(Boolean)).toEqual([{ result: 'mine' }])
  expect(readdirSync(folder)).toEqual([])
})

test('a lock that another took over meanwhile is left to it', async () => {
  const file = join(temporaryFolder(), 'lock')
  await withLock(file, async () => writeFileSync(file, 'another'))
  expect(readFileSync(file, 'utf8')).toBe('another')
})

const system = fs as { -readonly [Name in keyof typeof fs]: (typeof fs)[Name] }

describe('a lock that is left behind', () => {
  const take = (file: string) => withLock(file, async () => 'mine')
  const leave = (file: string, ageSeconds: number) => {
    writeFileSync(file, 'another')
    const at = new Date(Date.now() - ageSeconds * 1000)
    utimesSync(file, at, at)
  }

  test.each([
    [0, false],
    [25, false],
    [35, true],
    [86_400, true],
  ])('and silent for %i seconds is free: %s', async (age, free) => {
    const file = join(temporaryFolder(), 'lock')
    leave(file, age)
    expect(await take(file)).toEqual(free ? { result: 'mine' } : undefined)
    expect(readdirSync(join(file, '..'))).toEqual(free ? [] : ['lock'])
  })

  test('by a process whose clock ran ahead is free', async () => {
    const file = join(temporaryFolder(), 'lock')
    leave(file, -3600)
    expect(await take(file)).toEqual({ result: 'mine' })
  })

  test('and replaced by a living process at the last moment is put back', async () => {
    const file = join(temporaryFolder(), 'lock')
    leave(file, 0)
    const { statSync: real } = system
    const change = (look: typeof real) => {
      system.statSync = look
      syncBuiltinESMExports()
    }
    onTestFinished(() => change(real))
    // The first look finds the lock of before, which a living process replaces right then.
    change(((path: string, options: object) => {
      const stats = real(path, options)
      if (path !== file) return stats
      change(real)
      return { ...stats, mtimeMs: 0 }
    }) as typeof real)
    expect(await take(file)).toBeUndefined()
    expect(system.statSync).toBe(real)
    expect(readFileSync(file, 'utf8')).toBe('another')
    expect(readdirSync(join(file, '..'))).toEqual(['lock'])
  })

  test('is readable by its owner only while it is held', async () => {
    const file = join(temporaryFolder(), 'lock')
    const mode = await withLock(file, async () => statSync(file).mode & 0o077)
    expect(mode).toEqual({ result: 0 })
  })
})

describe('the heartbeat', () => {
  /** Holds a lock, or sees it taken over, for so many seconds of fake time. `ages` are the lock's at each second. */
  async function hold(seconds: number, other?: string) {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    try {
      const file = join(temporaryFolder(), 'lock')
      const ages: number[] = []
      let second: unknown
      await withLock(file, async () => {
        if (other) writeFileSync(file, other)
        for (let at = 0; at < seconds; at++) {
          vi.advanceTimersByTime(1000)
          ages.push(Date.now() - statSync(file).mtimeMs)
        }
        second = await withLock(file, async () => 'second')
      })
      return { file, ages, second, timers: vi.getTimerCount() }
    } finally {
      vi.useRealTimers()
    }
  }

  test('keeps a lock from looking left behind, however long the work takes', async () => {
    const { ages, second } = await hold(120)
    expect(Math.max(...ages)).toBeLessThan(10_000)
    expect(second).toBeUndefined()
  })

  test("does not keep another holder's lock alive", async () => {
    const { ages } = await hold(25, 'another')
    expect(Math.max(...ages)).toBeGreaterThan(20_000)
  })

  test('does not keep a process alive whose work has nothing left to wait for', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    expect(await withLock(join(temporaryFolder(), 'lock'), async () => timers())).toEqual({ result: before })
  })

  test('ends with the work', async () => {
    expect((await hold(1)).timers).toBe(0)
  })
})

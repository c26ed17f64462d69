import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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

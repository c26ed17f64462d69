import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makePartial, publish, removePartial } from '../../src/db/copy.ts'
import { holdAlone } from '../../src/db/presence.ts'
import { temporaryFolder } from '../helpers/cli.ts'

/** As a process leaves it: the system has dropped the lock of one that was killed. */
function leave(folder: string, name: string): string[] {
  const files = [
    `.${name}.0123456789ab.partial`,
    `.${name}.0123456789ab.partial-wal`,
    `.${name}.0123456789ab.partial-lock`,
  ]
  for (const file of files) writeFileSync(join(folder, file), '')
  return files
}

test('a partial file of a killed process goes at once, also that of another name of the series', () => {
  const folder = temporaryFolder()
  leave(folder, 'relt-20260901-120000.db')
  const partial = makePartial(join(folder, 'relt-20260902-120000.db'))
  expect(readdirSync(folder).sort()).toEqual([partial, `${partial}-lock`].map((file) => file.slice(folder.length + 1)))
  removePartial(partial)
  expect(readdirSync(folder)).toEqual([])
})

test('a partial file of a process that lives stays', () => {
  const folder = temporaryFolder()
  const files = leave(folder, 'relt.db')
  const lock = holdAlone(join(folder, files.at(-1)!))!
  const own = makePartial(join(folder, 'relt.db'))
  const second = makePartial(join(folder, 'relt.db'))
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(files))
  expect([own, second].map((file) => existsSync(file))).toEqual([true, true])
  lock.release()
  for (const file of [own, second]) removePartial(file)
})

test('without a lock, a partial file goes after an hour', () => {
  const folder = temporaryFolder()
  const [old, fresh] = ['a', 'b'].map((letter) => join(folder, `.relt.db.${letter.repeat(12)}.partial`)) as [
    string,
    string,
  ]
  for (const file of [old, fresh]) writeFileSync(file, '')
  const before = Date.now() / 1000 - 3700
  utimesSync(old, before, before)
  removePartial(makePartial(join(folder, 'other.db')))
  expect([existsSync(old), existsSync(fresh)]).toEqual([false, true])
})

test('a published file leaves no lock, and no file of another name is touched', () => {
  const folder = temporaryFolder()
  for (const name of ['.notes.partial', 'relt.db.0123456789ab.partial', '.x.0123456789ab.partial-other'])
    writeFileSync(join(folder, name), '')
  const file = join(folder, 'relt.db')
  publish(makePartial(file), file)
  expect(readdirSync(folder).sort()).toEqual(
    ['.notes.partial', '.x.0123456789ab.partial-other', 'relt.db', 'relt.db.0123456789ab.partial'].sort(),
  )
})

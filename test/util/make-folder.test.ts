import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../src/util/make-folder.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { reltFile, start } from '../helpers/process.ts'

test('creates a folder and those above it for their owner alone', () => {
  const folder = join(temporaryFolder(), 'a', 'b')
  makeFolder(folder)
  makeFolder(folder)
  expect([folder, join(folder, '..')].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o700])
})

test('fails below a file', () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  expect(() => makeFolder(join(file, 'folder'))).toThrow(/EEXIST|ENOTDIR/)
})

// Node's recursive mkdir never returns there.
test.skipIf(!existsSync('/proc/self'))('a data folder where none can be fails at once', async () => {
  const { child, finished } = start(reltFile, ['projects', 'list'], { RELT_HOME: '/proc/relt' })
  const timer = setTimeout(() => child.kill('SIGKILL'), 30_000)
  const { code, signal, stderr } = await finished
  clearTimeout(timer)
  expect({ code, signal }).toEqual({ code: 1, signal: null })
  expect(stderr).toMatch(/^error: The store \/proc\/relt\/relt.db cannot be opened: .*ENOENT.*\nhint: .*RELT_HOME/)
})

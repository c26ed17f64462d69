import { chownSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/db/open.ts'
import { Spool } from '../../src/spool/spool.ts'
import { makeFolder } from '../../src/util/make-folder.ts'
import { replaceFile } from '../../src/util/replace-file.ts'
import { temporaryFolder } from '../helpers/cli.ts'

const isRoot = process.geteuid?.() === 0
const ownerFor = (file: string) => statSync(file).uid

test.skipIf(!isRoot)('what root creates in the folder of a service belongs to the service', async () => {
  const home = temporaryFolder()
  chownSync(home, 61_234, 61_234)
  makeFolder(join(home, 'a', 'b'))
  replaceFile(join(home, 'a', 'file'), 'text')
  await (await openDatabase(join(home, 'relt.db'))).destroy()
  const spool = new Spool({ RELT_HOME: home, RELT_KEYCHAIN: 'off' }, () => {})
  expect(spool.findProblem()).toBeUndefined()
  const lock = await spool.alone(async () => ownerFor(join(home, 'spool', 'lock')))
  const names = ['a', 'a/b', 'a/file', 'relt.db', 'spool']
  expect(names.map((name) => [name, ownerFor(join(home, name))])).toEqual(names.map((name) => [name, 61_234]))
  expect(lock).toBe(61_234)
})

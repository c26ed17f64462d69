import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { placeFile } from '../../src/db/place-file.ts'
import { temporaryFolder } from '../helpers/cli.ts'

const bytes = Buffer.from('a store')

test('creates the file and its folder for the owner only', () => {
  const folder = join(temporaryFolder(), 'new')
  const file = join(folder, 'relt.db')
  expect(placeFile(file, bytes)).toBe(true)
  expect(readFileSync(file)).toEqual(bytes)
  expect([statSync(file).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700])
  expect(readdirSync(folder)).toEqual(['relt.db'])
})

test('leaves a file alone that is there already', () => {
  const folder = temporaryFolder()
  const file = join(folder, 'relt.db')
  writeFileSync(file, 'in use')
  expect(placeFile(file, bytes)).toBe(false)
  expect(readFileSync(file, 'utf8')).toBe('in use')
  expect(readdirSync(folder)).toEqual(['relt.db'])
})

test('does not follow a link', () => {
  const folder = temporaryFolder()
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'relt.db'))
  expect(placeFile(join(folder, 'relt.db'), bytes)).toBe(false)
  expect(readdirSync(folder)).toEqual(['relt.db'])
})

test.skipIf(process.getuid?.() === 0)('says no where nothing can be written', () => {
  const folder = temporaryFolder()
  chmodSync(folder, 0o500)
  expect(placeFile(join(folder, 'relt.db'), bytes)).toBe(false)
})

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { write } from '../../../../src/cli/commands/gate/outputs.ts'
import { temporaryFolder } from '../../../helpers/cli.ts'

test('leaves the earlier file whole when the new one cannot be written to its end', () => {
  const folder = temporaryFolder()
  const file = join(folder, 'report.html')
  writeFileSync(file, 'the earlier page')
  const fail = () =>
    write(file, function* () {
      yield 'the first half'
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
    })
  expect(fail).toThrow(`${file} cannot be written: no space left.`)
  expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['report.html'], 'the earlier page'])
})

test.skipIf(!existsSync('/dev/full'))('writes into a device and never replaces it', () => {
  write('/dev/null', 'page')
  expect(() => write('/dev/full', 'page')).toThrow('/dev/full cannot be written: no space left.')
  expect(existsSync('/dev/full')).toBe(true)
})

test('does not write a file named -', () => {
  expect(() => write('-', 'page')).toThrow('Name a file in place of -.')
})

test('says that a folder is one', () => {
  const folder = temporaryFolder()
  expect(() => write(folder, 'page')).toThrow('it is a folder')
  expect(() => write(join(folder, 'none', 'a'), 'page')).toThrow('no such folder')
})

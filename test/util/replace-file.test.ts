import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { replaceFile, replaceWithCopy } from '../../src/util/replace-file.ts'
import { temporaryFolder } from '../helpers/cli.ts'

const toMode = (file: string) => statSync(file).mode & 0o777

describe('a file', () => {
  test('is created for its owner alone, or with the mode that is asked for', () => {
    const folder = temporaryFolder()
    replaceFile(join(folder, 'a'), 'x')
    replaceFile(join(folder, 'b'), new Uint8Array([120]), { mode: 0o644, isDurable: true })
    expect([readFileSync(join(folder, 'a'), 'utf8'), toMode(join(folder, 'a'))]).toEqual(['x', 0o600])
    // The user may have closed new files to others.
    const open = 0o644 & ~process.umask()
    expect([readFileSync(join(folder, 'b'), 'utf8'), toMode(join(folder, 'b'))]).toEqual(['x', open])
    expect(readdirSync(folder).sort()).toEqual(['a', 'b'])
  })

  test('takes the place of an earlier one, of which nothing stays', () => {
    const folder = temporaryFolder()
    const file = join(folder, 'a')
    writeFileSync(file, 'longer than before')
    chmodSync(file, 0o644)
    replaceFile(file, 'x')
    expect([readFileSync(file, 'utf8'), toMode(file)]).toEqual(['x', 0o600])
  })

  test('takes the place of a link, not of the file that the link leads to', () => {
    const folder = temporaryFolder()
    const [victim, file] = [join(folder, 'victim'), join(folder, 'a')]
    writeFileSync(victim, 'precious')
    symlinkSync(victim, file)
    replaceFile(file, 'x')
    expect([readFileSync(victim, 'utf8'), lstatSync(file).isSymbolicLink()]).toEqual(['precious', false])
    const copy = join(folder, 'copy')
    symlinkSync(victim, copy)
    replaceWithCopy(file, copy)
    expect([readFileSync(victim, 'utf8'), readFileSync(copy, 'utf8')]).toEqual(['precious', 'x'])
  })

  test('leaves nothing behind when it cannot be written', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'a'))
    expect(() => replaceFile(join(folder, 'a'), 'x')).toThrow()
    expect(() => replaceFile(join(folder, 'none', 'a'), 'x')).toThrow('ENOENT')
    expect(() => replaceWithCopy(join(folder, 'none'), join(folder, 'b'))).toThrow('ENOENT')
    expect(readdirSync(folder)).toEqual(['a'])
  })
})

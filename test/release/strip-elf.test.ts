import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stripElf } from '../../scripts/binary/strip-elf.ts'
import { temporaryFolder } from '../helpers/cli.ts'

const isLinux = process.platform === 'linux'

test.runIf(isLinux)('a stripped Node is smaller and runs', () => {
  const node = readFileSync(process.execPath)
  const stripped = stripElf(node)
  expect(stripped.length).toBeLessThan(node.length)
  const file = join(temporaryFolder(), 'node')
  writeFileSync(file, stripped, { mode: 0o755 })
  expect(execFileSync(file, ['-p', 'process.version']).toString()).toBe(`${process.version}\n`)
  expect(stripElf(stripped).equals(stripped)).toBe(true)
})

test.each([
  ['a script', Buffer.from(`#!/bin/sh\n${' '.repeat(100)}`)],
  ['an empty file', Buffer.alloc(0)],
  ['an ELF file of 32 bits', Buffer.concat([Buffer.from('7f454c460101', 'hex'), Buffer.alloc(100)])],
])('rejects %s', (_, file) => {
  expect(() => stripElf(file)).toThrow('not an ELF file of 64 bits')
})

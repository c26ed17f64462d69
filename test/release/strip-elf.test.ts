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

test.runIf(isLinux)('sections refer to each other by their new numbers', () => {
  const file = Buffer.from(readFileSync(process.execPath))
  const linked = (elf: Buffer) => {
    const [start, count] = [Number(elf.readBigUInt64LE(40)), elf.readUInt16LE(60)]
    const at = (index: number) => elf.subarray(start + index * 64, start + (index + 1) * 64)
    return Array.from({ length: count }, (_, index) => at(index))
      .filter((section) => [4, 11].includes(section.readUInt32LE(4)))
      .map((section) => at(section.readUInt32LE(40)).readBigUInt64LE(16))
  }
  // As patchelf does: a section that is not loaded comes first.
  const [start, count] = [Number(file.readBigUInt64LE(40)), file.readUInt16LE(60)]
  const sections = Array.from({ length: count }, (_, index) =>
    Buffer.from(file.subarray(start + index * 64, start + (index + 1) * 64)),
  )
  const comment = sections.findIndex((section) => !(section.readBigUInt64LE(8) & 2n) && section.readUInt32LE(4) === 1)
  const order = [0, comment, ...sections.keys().filter((index) => index !== 0 && index !== comment)]
  for (const [place, index] of order.entries()) {
    const section = sections[index]!
    section.writeUInt32LE(order.indexOf(section.readUInt32LE(40)), 40)
    if ([4, 9].includes(section.readUInt32LE(4))) section.writeUInt32LE(order.indexOf(section.readUInt32LE(44)), 44)
    section.copy(file, start + place * 64)
  }
  file.writeUInt16LE(order.indexOf(file.readUInt16LE(62)), 62)
  const expected = linked(file)
  expect(expected.length).toBeGreaterThan(1)
  expect(linked(stripElf(file))).toEqual(expected)
})

test('bytes between segments are left out, and what follows keeps its offset in a page', () => {
  const page = 0x1000
  const headers = Buffer.alloc(64 + 2 * 56)
  Buffer.from('7f454c460201', 'hex').copy(headers)
  headers.writeBigUInt64LE(64n, 32)
  headers.writeUInt16LE(2, 56)
  const start = 40 * page + 24
  for (const [index, [from, size]] of [
    [0, 200],
    [start, 100],
  ].entries()) {
    const segment = headers.subarray(64 + index * 56, 64 + (index + 1) * 56)
    segment.writeUInt32LE(1, 0)
    segment.writeBigUInt64LE(BigInt(from!), 8)
    segment.writeBigUInt64LE(BigInt(size!), 32)
    segment.writeBigUInt64LE(BigInt(page), 48)
  }
  // The only section has the names of sections.
  headers.writeBigUInt64LE(BigInt(start + 100), 40)
  headers.writeUInt16LE(1, 60)
  const file = Buffer.concat([
    headers,
    Buffer.alloc(start - headers.length, 'x'),
    Buffer.alloc(100, 'y'),
    Buffer.alloc(64),
  ])
  const stripped = stripElf(file)
  const moved = Number(stripped.subarray(64 + 56).readBigUInt64LE(8))
  expect([moved % page, moved < 2 * page]).toEqual([24, true])
  expect(stripped.toString('latin1', moved, moved + 100)).toBe('y'.repeat(100))
  expect(stripped.toString('latin1', headers.length, 200)).toBe('x'.repeat(200 - headers.length))
})

test.each([
  ['a script', Buffer.from(`#!/bin/sh\n${' '.repeat(100)}`)],
  ['an empty file', Buffer.alloc(0)],
  ['an ELF file of 32 bits', Buffer.concat([Buffer.from('7f454c460101', 'hex'), Buffer.alloc(100)])],
])('rejects %s', (_, file) => {
  expect(() => stripElf(file)).toThrow('not an ELF file of 64 bits')
})

import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ofKind, segmentNamed, toCommands } from '../../scripts/binary/mach-o.ts'
import { signMachO } from '../../scripts/binary/sign-macho.ts'
import { stripMachO } from '../../scripts/binary/strip-macho.ts'

const linkAt = 0x4000
const names = {
  local: ['_a_local_symbol', '_another'],
  defined: ['__mh_execute_header'],
  undefined: ['_write', '_read'],
}

function words(...values: number[]): Buffer {
  const output = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) output.writeUInt32LE(value, index * 4)
  return output
}

function segment(name: string, from: number, size: number): Buffer {
  const output = Buffer.alloc(72)
  words(0x19, output.length).copy(output)
  output.write(name, 8, 'latin1')
  for (const [at, value] of [from, size, from, size].entries()) output.writeBigUInt64LE(BigInt(value), 24 + at * 8)
  return output
}

/** A program of two segments whose calls are of `_write` and `_read`, as the linker of Apple places its symbols. */
function program({ order = [3, 4], local = names.local.length }: { order?: number[]; local?: number } = {}): Buffer {
  const all = [...names.local, ...names.defined, ...names.undefined]
  const texts = Buffer.from(` \0${all.map((name) => `${name}\0`).join('')}`)
  const symbols = all.map((name) => Buffer.concat([words(texts.indexOf(`${name}\0`)), Buffer.alloc(12, 7)]))
  const numbers = words(...order, 0x80000000)
  const [start, indirect] = [linkAt, linkAt + all.length * 16]
  const end = indirect + numbers.length
  const link = Buffer.concat([...symbols, numbers, texts])
  const commands = [
    segment('__TEXT', 0, linkAt),
    segment('__LINKEDIT', linkAt, link.length),
    words(0x2, 24, start, all.length, end, texts.length),
    words(0xb, 80, 0, local, local, 1, local + 1, 2, 0, 0, 0, 0, 0, 0, indirect, numbers.length / 4, 0, 0, 0, 0),
  ]
  const data = Buffer.concat(commands)
  const header = words(0xfeedfacf, 0x0100000c, 0, 2, commands.length, data.length, 0x85, 0)
  return Buffer.concat([Buffer.concat([header, data], linkAt), link])
}

/** Names of the symbols, and of those that calls are of. */
function toSymbols(file: Buffer): { all: string[]; called: (string | undefined)[] } {
  const [symbols, dynamic] = [toCommands(file).find(ofKind('symbols'))!, toCommands(file).find(ofKind('dynamic'))!]
  const texts = symbols.readUInt32LE(16)
  const all = Array.from({ length: symbols.readUInt32LE(12) }, (_, index) => {
    const from = texts + file.readUInt32LE(symbols.readUInt32LE(8) + index * 16)
    return file.toString('latin1', from, file.indexOf(0, from))
  })
  const called = Array.from({ length: dynamic.readUInt32LE(60) }, (_, index) => {
    const number = file.readUInt32LE(dynamic.readUInt32LE(56) + index * 4)
    return all[number]
  })
  return { all, called }
}

test('a stripped program has the symbols of others, and its calls are of the same', () => {
  const stripped = stripMachO(program())
  expect(toSymbols(stripped)).toEqual({
    all: [...names.defined, ...names.undefined],
    called: ['_write', '_read', undefined],
  })
  expect(toSymbols(stripped).called).toEqual(toSymbols(program()).called)
  expect(stripped.length).toBeLessThan(program().length)
  expect(stripMachO(stripped).equals(stripped)).toBe(true)
})

test('a signed program ends with the hash of each page', () => {
  const signed = signMachO(program(), 'relt')
  const signature = toCommands(signed).find(ofKind('signature'))!
  const [start, size] = [signature.readUInt32LE(8), signature.readUInt32LE(12)]
  const link = segmentNamed(signed, '__LINKEDIT')
  expect(Number(link.readBigUInt64LE(40) + link.readBigUInt64LE(48))).toBe(signed.length)
  expect(start + size).toBe(signed.length)
  const directory = signed.subarray(start + signed.readUInt32BE(start + 16))
  expect(directory.toString('latin1', directory.readUInt32BE(20)).split('\0')[0]).toBe('relt')
  const [hashes, pages] = [directory.readUInt32BE(16), directory.readUInt32BE(28)]
  expect([pages, directory.readUInt32BE(32)]).toEqual([Math.ceil(start / 4096), start])
  for (let page = 0; page < pages; page += 1) {
    const found = directory.toString('hex', hashes + page * 32, hashes + (page + 1) * 32)
    expect(found).toBe(hash('sha256', signed.subarray(page * 4096, Math.min((page + 1) * 4096, start))))
  }
  expect(() => signMachO(signed, 'relt')).toThrow('signed already')
  expect(stripMachO(signed).equals(stripMachO(program()))).toBe(true)
})

test.each([
  ['a script', Buffer.from(`#!/bin/sh\n${' '.repeat(100)}`), 'not a Mach-O file of 64 bits'],
  ['an empty file', Buffer.alloc(0), 'not a Mach-O file of 64 bits'],
  ['a call of a local symbol', program({ order: [1, 4] }), 'a local symbol is needed'],
])('rejects %s', (_, file, message) => {
  expect(() => stripMachO(file)).toThrow(message)
})

test('rejects to sign a file that has data behind its last segment', () => {
  expect(() => signMachO(Buffer.concat([program(), Buffer.alloc(8)]), 'relt')).toThrow('does not end with __LINKEDIT')
})

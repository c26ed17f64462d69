import { expect, test } from 'vitest'
import { parseRunReference } from '../../../src/cli/input/run-reference.ts'

const at = (text: string) => Date.parse(text) / 1000

test.each([
  ['crun_k3v7qd2m5x4aznle', { kind: 'id', id: 'crun_k3v7qd2m5x4aznle' }],
  ['crun_k3v7', { kind: 'prefix', prefix: 'crun_k3v7' }],
  ['k3v7', { kind: 'prefix', prefix: 'crun_k3v7' }],
  ['latest', { kind: 'latest', back: 0 }],
  ['latest~2', { kind: 'latest', back: 2 }],
  ['@2026-11-01', { kind: 'until', until: at('2026-11-01T23:59:59Z') }],
  ['@2026-11-01 12:30', { kind: 'until', until: at('2026-11-01T12:30:59Z') }],
  ['@2026-11-01T12:30:15+02:00', { kind: 'until', until: at('2026-11-01T10:30:15Z') }],
])('reads %s', (text, expected) => {
  expect(parseRunReference(text)).toEqual(expected)
})

test.each(['', 'latest~', 'latest~-1', '@', '@yesterday', '@2026-13-01', 'a b', '../x'])('refuses %j', (text) => {
  expect(parseRunReference(text)).toBeUndefined()
})

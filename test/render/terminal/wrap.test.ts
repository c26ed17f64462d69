import fc from 'fast-check'
import stringWidth from 'fast-string-width'
import { expect, test } from 'vitest'
import { wrapCell } from '../../../src/render/terminal/wrap.ts'

test.each([
  ['pod/session-store-0', 12, ['pod/session-', 'store-0']],
  ['image registry.example/shop/web', 18, ['image', 'registry.example/', 'shop/web']],
  ['5 critical new or regressed', 14, ['5 critical new', 'or regressed']],
  ['etcd', 12, ['etcd']],
  ['by crun_k3v7qd2m5x4aznle', 23, ['by', 'crun_k3v7qd2m5x4aznle']],
  ['advisory=CVE-2026-1234', 14, ['advisory=', 'CVE-2026-1234']],
  ['by GHSA-qppj-fm5r-hxr3', 20, ['by', 'GHSA-qppj-fm5r-hxr3']],
])('%j at %i columns breaks between words and behind separators', (cell, width, lines) => {
  expect(wrapCell(cell, width)).toEqual(lines)
})

test('no line is wider than the column, and no letter is lost or added', () => {
  const name = fc.stringMatching(/^[a-z0-9./:@_-]{1,60}$/)
  fc.assert(
    fc.property(name, fc.integer({ min: 4, max: 40 }), (cell, width) => {
      const lines = wrapCell(cell, width)
      expect(lines.join('')).toBe(cell)
      expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(width)
    }),
  )
})

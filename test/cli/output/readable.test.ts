import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readable } from '../../../src/cli/output/readable.ts'
import { anyCharacter } from '../../helpers/any-character.ts'

test.each([
  ['', ''],
  ['plain', 'plain'],
  ['<p>Fixes <b>two</b> things &amp; more</p><p>Next</p>', 'Fixes two things & more\n\nNext'],
  ['<h2>New</h2><ul><li>One<ul><li>Two</li></ul></li></ul>', 'New\n\n- One\n  - Two'],
  ['<a href="https://a.example/x">notes</a>', 'notes (https://a.example/x)'],
  ['<a href="https://a.example/x">https://a.example/x</a>', 'https://a.example/x'],
  ['<p>a</p><script>x()</script><style>b{}</style><img src="x.png" alt="y">', 'a'],
  ['<pre>a\n  b</pre>', 'a\n  b'],
  ['<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>', 'A  B\n1  2'],
  ['## New\r\n\r\n<!-- made by a tool -->* one\r\n* two', '## New\n\n* one\n* two'],
  ['a < b and c > d', 'a < b and c > d'],
  ['x\u001b[2J\u009b31m\u202ey', 'x [2J 31m y'],
  ['<p>&#27;[2J&#133;31m</p>', '[2J…31m'],
  ['a\n\n\n\n\nb', 'a\n\nb'],
])('%j reads %j', (notes, text) => {
  expect(readable(notes)).toBe(text)
})

describe('notes that mean harm end', () => {
  test.each([
    ['deep', '<div>'.repeat(50_000)],
    ['deep lists', '<ul><li>'.repeat(30_000)],
    ['deep tables', '<table><tr><td>'.repeat(20_000)],
    ['wide', '<p>x</p>'.repeat(30_000)],
    ['cells of many columns', '<table><tr><td colspan=100000000 rowspan=100000000>x</td></tr></table>'],
    ['a list that begins late', '<ol start="99999999999999999999"><li>x</li></ol>'],
    ['long', '<p>'.concat('x'.repeat(5_000_000))],
    ['open comments', '<!--'.repeat(100_000)],
    ['open tags', '<a '.repeat(100_000)],
  ])('%s', (_, notes) => {
    expect(readable(notes).length).toBeLessThanOrEqual(100_010)
  })
})

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
const steering = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/

test('no text, HTML or not, leaves anything that steers a terminal', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '<p>',
      '</p>',
      '<li>',
      '<a href="',
      '">',
      '<pre>',
      '&#27;',
      '&#x9b;',
      '&#8238;',
      '<!--',
      '\u001b]8;;x\u0007',
    ),
    fc.string({ unit: anyCharacter }),
  )
  await fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      expect(readable(pieces.join(''))).not.toMatch(steering)
    }),
  )
})

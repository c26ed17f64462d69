import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createListStream } from '../../src/kube/list-stream.ts'

function read(chunks: Buffer[]) {
  const items: unknown[] = []
  const list = createListStream('The list', (item) => items.push(item))
  for (const chunk of chunks) list.push(chunk)
  list.end()
  return { items, next: list.next }
}

/** Cut at these places. */
function cut(text: string, places: number[]): Buffer[] {
  const bytes = Buffer.from(text)
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  return [...ends, bytes.length].map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1], end))
}

describe('a list that comes in pieces', () => {
  test('has the items that it has as a whole, wherever it is cut', () => {
    const item = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))
    const list = fc.record({
      kind: fc.string(),
      metadata: fc.record({ continue: fc.string(), items: fc.jsonValue() }),
      before: fc.jsonValue(),
      items: fc.array(item),
      after: fc.record({ items: fc.array(fc.jsonValue()) }),
    })
    fc.assert(
      fc.property(list, fc.array(fc.nat(5000)), fc.constantFrom(undefined, 2), (value, places, indent) => {
        const { items, next } = read(cut(JSON.stringify(value, null, indent), places))
        const plain = JSON.parse(JSON.stringify(value))
        expect({ items, next }).toEqual({ items: plain.items, next: plain.metadata.continue || undefined })
      }),
    )
  })

  test.each([
    '',
    '{"items":[{"a":1}',
    '{"items":[{"a":"',
    '[]',
    '5',
    '{}{}',
    '{}',
    '{"kind":"Status","metadata":{},"status":"Success"}',
    '{"items":[{"a":}]}',
    `{"a":${'['.repeat(200)}`,
  ])('is refused when it is no whole list: %s', (text) => {
    expect(() => read([Buffer.from(text)])).toThrow(expect.objectContaining({ code: 'invalid_json' }))
  })

  test.each([null, '{"items":null}'])('may be empty: %s', (text) => {
    expect(read([Buffer.from(text ?? '{"metadata":{},"items":[]}')])).toEqual({ items: [], next: undefined })
  })

  test('an item may have keys that reach prototypes', () => {
    const { items } = read([Buffer.from('{"items":[{"labels":{"__proto__":"x","constructor":"y"}}]}')])
    expect(Object.keys((items[0] as { labels: object }).labels)).toEqual(['__proto__', 'constructor'])
  })
})

import { globSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseAgentConfig } from '../../src/agent/read-config.ts'
import { cutIndex, parseIndex } from '../../src/collectors/helm/read-index.ts'
import { createYamlParser } from '../../src/collectors/helm/yaml.ts'
import { parseChallenge } from '../../src/collectors/oci/challenge.ts'
import { ReltError } from '../../src/errors.ts'
import { readScan } from '../../src/reports/formats/index.ts'
import { readUpload } from '../../src/service/upload-body.ts'
import { decodeContent, encodeEntry } from '../../src/spool/entry-file.ts'
import { parseJson } from '../../src/util/json.ts'

/** Ten minutes for all readers together. */
const totalMs = Number(process.env.RELT_FUZZ_SECONDS ?? 600) * 1000

type Read = (bytes: Buffer) => unknown

const toFiles = (pattern: string) =>
  globSync(pattern)
    .sort()
    .map((file) => readFileSync(file))
const reports = [...toFiles('test/fixtures/formats/**/*.json'), ...toFiles('examples/*.json')].filter(
  ({ length }) => length < 200_000,
)
const index = Buffer.from(
  'apiVersion: v1\nentries:\n  web:\n    - version: 1.0.0\n      appVersion: "1"\n      urls: [a]\n',
)
const config = Buffer.from('jobs:\n  - { name: a, every: 1h, profile: p }\n')
const entry = {
  server: { name: null, url: 'https://relt.example', user: 'ada' },
  ...{ cluster: 'shop', environment: null, created: 1, idempotencyKey: 'i', keyId: 'k' },
}

/** What reads bytes or text of others, and something that it understands. Callers of `isCaught` take any error for unreadable. */
const readers: Record<string, { read: Read; corpus: Buffer[]; isCaught?: true }> = {
  'a report': { read: (bytes) => readScan(bytes), corpus: reports },
  JSON: { read: (bytes) => parseJson(bytes, 'The text'), corpus: reports.slice(0, 10) },
  'the body of an upload': { read: readUpload, corpus: reports.map((report) => Buffer.from(`{"report":${report}}`)) },
  'agent.yaml': { read: (bytes) => parseAgentConfig(bytes.toString('utf8'), 'agent.yaml'), corpus: [config] },
  'an index of charts': {
    read: (bytes) => cutIndex(bytes, new Set(['web']), createYamlParser()).get('web')?.[0]?.('version'),
    corpus: [index],
    isCaught: true,
  },
  'an index of charts as a whole': {
    read: (bytes) => parseIndex(bytes, new Set(['web']), createYamlParser()).get('web')?.[0]?.('version'),
    corpus: [index],
    isCaught: true,
  },
  'a challenge of a registry': {
    read: (bytes) => parseChallenge(bytes.toString('latin1')),
    corpus: [Buffer.from('Bearer realm="https://auth.example/token",service="r",scope="repository:a:pull"')],
  },
  'an entry of the spool': { read: decodeContent, corpus: [encodeEntry(entry, Buffer.from('content'))] },
}

const isRefusal = (error: unknown): boolean =>
  error instanceof ReltError || (error instanceof Error && error.name === 'Error')

const tokens = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  'null',
  '1e999',
  '-',
  '\\u0000',
  '\\ud800',
  '"__proto__":',
  '<',
  '&',
  '\n',
  '\t',
  '::',
  ' ',
  '\ufeff',
]

/** Changes of a text that leave most of it as it was: bytes, tokens, cut and repeated pieces. */
const change = fc.oneof(
  fc.record({ kind: fc.constant('byte' as const), at: fc.double({ min: 0, max: 1, noNaN: true }), value: fc.nat(255) }),
  fc.record({
    kind: fc.constant('token' as const),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    value: fc.nat(tokens.length - 1),
  }),
  fc.record({ kind: fc.constant('cut' as const), at: fc.double({ min: 0, max: 1, noNaN: true }), value: fc.nat(400) }),
  fc.record({
    kind: fc.constant('repeat' as const),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    value: fc.nat(400),
  }),
)
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

function apply(bytes: Buffer, { kind, at, value }: Change): Buffer {
  const offset = Math.floor(at * bytes.length)
  const [head, tail] = [bytes.subarray(0, offset), bytes.subarray(offset)]
  if (kind === 'byte') return Buffer.concat([head, Buffer.from([value]), tail.subarray(1)])
  if (kind === 'token') return Buffer.concat([head, Buffer.from(tokens[value]!), tail])
  if (kind === 'cut') return Buffer.concat([head, tail.subarray(value)])
  return Buffer.concat([head, tail.subarray(0, value), tail])
}

describe('fuzzed for its share of ten minutes, it reads or refuses:', () => {
  test.each(Object.entries(readers))('%s', async (_, { read, corpus, isCaught }) => {
    for (const whole of corpus) await read(whole)
    const cases = fc.record({
      from: fc.nat(corpus.length - 1),
      changes: fc.array(change, { minLength: 1, maxLength: 8 }),
    })
    const property = fc.asyncProperty(cases, async ({ from, changes }) => {
      const bytes = changes.reduce(apply, corpus[from]!)
      try {
        await read(bytes)
      } catch (error) {
        if (!isCaught && !isRefusal(error)) throw error
      }
      // Reading leaves nothing on the prototype of all objects.
      expect(Object.keys(Object.prototype)).toEqual([])
    })
    const interruptAfterTimeLimit = totalMs / Object.keys(readers).length
    await fc.assert(property, { numRuns: 100_000_000, interruptAfterTimeLimit, markInterruptAsFailure: false })
  })
})

import { expect, test } from 'vitest'
import { readPolicy } from '../../src/gate/read-policy.ts'
import { toVex } from '../../src/gate/vex.ts'
import { freshnessFor, itemWith } from './evidence.ts'

const advisory = {
  id: 'CVE-2026-1234',
  aliases: ['GHSA-qppj-fm5r-hxr3'],
  severity: 'high' as const,
  score: 8.1,
  published: '2026-01-10',
  fixed_in: null,
  fixed_in_line: null,
}
const nginx = itemWith({ advisories: [advisory, { ...advisory, id: 'CVE-2026-2', aliases: [] }], advisories_count: 2 })
const pinned = itemWith({ ...nginx, artifact_key: 'quay.io/acme/nginx@sha256:abc' })

const exceptionsFor = (...entries: string[]) =>
  readPolicy(`gate: {fail_on: [affected>=high], exceptions: [${entries.join(', ')}]}`, 'relt.yaml')!.exceptions
const options = { now: '2026-08-30 10:00:00', version: '1.2.3', author: 'security@example.com' }

test('has a statement for each accepted advisory that affects what runs', () => {
  const exceptions = exceptionsFor(
    '{advisory: GHSA-qppj-fm5r-hxr3, justification: vulnerable_code_not_in_execute_path, reason: no route, expires: 2026-12-31}',
    '{advisory: CVE-2026-2, artifact: docker.io/*, reason: upgrade in October, expires: 2026-10-31}',
    '{advisory: CVE-2026-3, reason: not here, expires: 2026-12-31}',
  )
  expect(toVex(freshnessFor([nginx, pinned]), exceptions, options)).toEqual({
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': expect.stringMatching(/^https:\/\/openvex\.dev\/docs\/public\/vex-[0-9a-f]{64}$/),
    author: 'security@example.com',
    timestamp: '2026-08-30T10:00:00Z',
    version: 1,
    tooling: 'relt 1.2.3',
    statements: [
      {
        vulnerability: { name: 'CVE-2026-1234', aliases: ['GHSA-qppj-fm5r-hxr3'] },
        products: [
          { '@id': 'pkg:oci/nginx?repository_url=docker.io%2Flibrary%2Fnginx&tag=1.27.3' },
          { '@id': 'pkg:oci/nginx@sha256%3Aabc?repository_url=quay.io%2Facme%2Fnginx' },
        ],
        status: 'not_affected',
        justification: 'vulnerable_code_not_in_execute_path',
        impact_statement: 'no route',
        status_notes: 'Accepted until 2026-12-31',
      },
      {
        vulnerability: { name: 'CVE-2026-2', aliases: [] },
        products: [{ '@id': 'pkg:oci/nginx?repository_url=docker.io%2Flibrary%2Fnginx&tag=1.27.3' }],
        status: 'affected',
        action_statement: 'upgrade in October',
        status_notes: 'Accepted until 2026-10-31',
      },
    ],
  })
})

test('says what is exploited, and the step of each product that is affected', () => {
  const none = { critical: 0, high: 0, medium: 0, low: 0, unrated: 0, exploited: 0 }
  const line = { version: '1.27.5', via: [], fixes: { ...none, high: 1 }, leaves: none, gains: [], because: [] }
  const steps = { urgent: line, clean: line, line, next: null, newest: line }
  const exploited = { since: '2026-08-20', due: null, ransomware: false }
  const known = itemWith({ ...nginx, advisories: [{ ...advisory, exploited, fixed_in: '1.27.4' }], steps })
  const noteFor = (entry: string) =>
    toVex(freshnessFor([known]), exceptionsFor(entry), options).statements.map(({ status_notes }) => status_notes)
  expect(noteFor('{advisory: CVE-2026-1234, reason: soon, expires: 2026-12-31}')).toEqual([
    'Accepted until 2026-12-31. Known to be exploited since 2026-08-20. nginx:1.27.3: fixed in 1.27.4; take 1.27.5',
  ])
  expect(
    noteFor('{advisory: CVE-2026-1234, justification: component_not_present, reason: not here, expires: 2026-12-31}'),
  ).toEqual(['Accepted until 2026-12-31. Known to be exploited since 2026-08-20'])
})

test('leaves out exceptions that have expired', () => {
  const exceptions = exceptionsFor('{advisory: CVE-2026-2, reason: accepted, expires: 2026-08-29}')
  expect(toVex(freshnessFor([nginx]), exceptions, options).statements).toEqual([])
})

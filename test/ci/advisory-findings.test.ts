import { expect, test } from 'vitest'
import { advisoryFindings } from '../../src/ci/advisory-findings.ts'
import { renderMarkdown } from '../../src/ci/markdown.ts'
import { renderSarif } from '../../src/ci/sarif.ts'
import { freshnessFor, itemWith, now, policyFor, runWith } from '../gate/evidence.ts'
import { evaluateGate } from '../helpers/judge-gate.ts'

const advisory = {
  id: 'CVE-2026-1234',
  aliases: ['GHSA-qppj-fm5r-hxr3'],
  severity: 'high' as const,
  score: 8.1,
  published: '2026-01-10',
  fixed_in: '1.27.5',
  fixed_in_line: '1.27.5',
}
const unrated = { ...advisory, id: 'GHSA-qppj-fm5r-hxr3', aliases: [], severity: null, score: null }
const affected = { advisories: [advisory, unrated], advisories_count: 2, fixed_in: '1.27.5' }
const nginx = itemWith(affected)
const other = itemWith({
  ...affected,
  artifact_key: 'quay.io/acme/nginx:1.27.3',
  display_name: 'quay.io/acme/nginx:1.27.3',
})
const policy = policyFor(
  ['affected>=high'],
  '- {advisory: CVE-2026-1234, artifact: quay.io/*, reason: mirror, expires: 2099-01-01}',
)

test('SARIF has one result for each advisory and artifact, with the page of the advisory', () => {
  const findings = advisoryFindings(freshnessFor([nginx, other]), policy, '2026-08-30')
  const [run] = JSON.parse(renderSarif({ run: runWith(), result: {} }, findings, '1.2.3')).runs
  expect(run.results).toHaveLength(4)
  expect(
    new Set(run.results.map((result: { partialFingerprints: object }) => JSON.stringify(result.partialFingerprints)))
      .size,
  ).toBe(4)
  expect(run.tool.driver.rules).toMatchObject([
    {
      id: 'CVE-2026-1234',
      helpUri: 'https://nvd.nist.gov/vuln/detail/CVE-2026-1234',
      defaultConfiguration: { level: 'error' },
      properties: { 'security-severity': '8.1' },
    },
    { id: 'GHSA-qppj-fm5r-hxr3', helpUri: 'https://github.com/advisories/GHSA-qppj-fm5r-hxr3' },
  ])
  expect(run.results[0].message.text).toBe(
    'shop nginx:1.27.3: Affected by CVE-2026-1234 (high, CVSS 8.1, published 2026-01-10); fixed in 1.27.5',
  )
  expect(run.results[2]).toMatchObject({ suppressions: [{ kind: 'external', justification: 'mirror' }] })
})

test('Markdown lists what is affected, and says what it does not cover', () => {
  const report = {
    run: runWith(),
    result: evaluateGate(policy, { run: runWith(), freshness: freshnessFor([nginx]) }, now),
    freshness: freshnessFor([nginx], { advisories_known: 1 }),
  }
  const markdown = renderMarkdown(report, 100_000)
  expect(markdown).toContain('1 high → 1&#46;27&#46;5')
  expect(markdown).toContain('not about packages inside images')
  const none = renderMarkdown({ ...report, freshness: freshnessFor([itemWith()]) }, 100_000)
  expect(none).toContain('None is known to affect what runs.')
  expect(none).toContain('not about packages inside images')
})

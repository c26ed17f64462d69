import { expect, test } from 'vitest'
import { coverageText } from '../../src/reports/coverage-text.ts'

const coverage = {
  artifacts: 11,
  known: 7,
  security_known: 3,
  projects: 8,
  catalog_at: '2026-08-22',
  security_facts_at: '2026-08-05 10:00:00',
  advisories_known: 7,
  advisory_facts_at: '2026-08-05',
}

test.each([
  ['2026-08-05', 'from today'],
  ['2026-08-06', '1 day old'],
  ['2026-08-15', '10 days old'],
  ['2026-06-30', 'of 2026-08-05'],
])('on %s, facts of 2026-08-05 are %s', (today, age) => {
  const run = { artifacts: { images: 11, helm_charts: 0, apps: 0 } }
  expect(coverageText(coverage, run, today)).toBe(`7 of 11 images known; security facts for 3 of 8 projects, ${age}`)
})

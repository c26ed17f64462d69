import { expect, test } from 'vitest'
import { compare, fixture, read, toFindings } from './fixture.ts'

const report = fixture('sarif')
const later = report
  .replace('"startLine": 21', '"startLine": 25')
  .replaceAll('2026.8.0', '2026.9.1')
  .replaceAll('1:1.2.13', '1:1.2.13-2')

test('security-severity decides, else the level; what is suppressed, gone or fine is no finding', async () => {
  const scan = await read(report)
  expect(scan).toMatchObject({
    format: 'sarif',
    clusterName: undefined,
    generatedAt: Date.UTC(2026, 7, 20, 6) / 1000,
    totalChecks: 5,
    failedChecks: 4,
    findings: { total: 5, critical: 1, high: 1, medium: 1, low: 2, info: 0 },
    score: { value: 84.75, source: 'computed' },
  })
  expect(await toFindings(scan)).toEqual([
    'critical CVE-2026-4001 - shop/cart | Package: zlib1g Installed Version: 1:1.2.13 Severity: CRITICAL Fixed Version: 1:1.2.14 | shop/cart:1',
    'high ML001 - deploy/web.yaml | Container web runs as root | deploy/web.yaml:21',
    'low CVE-2026-4002 - shop/cart | Package: zlib1g Installed Version: 1:1.2.13 | shop/cart',
    'low ML001 - deploy/web.yaml | Container init runs as root | deploy/web.yaml:12',
    'medium ML002 - Deployment/web | Container web has no readiness probe | -',
  ])
  expect(scan.index.checks.find((check) => check.id === 'ML001')).toEqual({
    id: 'ML001',
    name: 'Container runs as root',
    category: 'manifest-lint',
  })
  expect(scan.artifacts.images).toMatchObject([{ reference: 'registry.shop.example/shop/cart:2026.8.0' }])
})

test('other lines and versions are no change', async () => {
  expect(later).not.toBe(report)
  expect(await compare(report, later)).toMatchObject({ new: [], resolved: [], regressed: [], unchangedCount: 5 })
})

test('rules and results may come in any order', async () => {
  const log = JSON.parse(report)
  log.runs = log.runs.map((run: object) => Object.fromEntries(Object.entries(run).reverse()))
  expect(await toFindings(await read(JSON.stringify(log)))).toEqual(await toFindings(await read(report)))
})

test('a result that is there no more is resolved', async () => {
  const mended = report.replace('"ruleId": "CVE-2026-4002", ', '"ruleId": "CVE-2026-4002", "kind": "notApplicable", ')
  expect((await compare(report, mended)).resolved).toMatchObject([{ check_id: 'CVE-2026-4002', severity: 'low' }])
})

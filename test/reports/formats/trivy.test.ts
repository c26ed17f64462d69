import { describe, expect, test } from 'vitest'
import type { Scan } from '../../../src/reports/scan.ts'
import { compare, type FixtureName, fixture, read, toFindings } from './fixture.ts'

/** Other pods, another tag, packages that are newer and still vulnerable. */
const rollOut = (report: string): string =>
  report
    .replaceAll('7d9c5b8f66-k2j4x', '6b5f8d7c9f-q4t7v')
    .replaceAll('65cc8855c', '5f7d9b6c4d')
    .replaceAll('1.27.3', '1.27.4')
    .replaceAll('1'.repeat(64), '2'.repeat(64))
    .replaceAll('2026.8.0', '2026.9.1')
    .replaceAll('16.3', '16.4')
    .replaceAll('debian 12.5', 'debian 12.6')
    .replaceAll('3.0.11-1~deb12u2', '3.0.12-1~deb12u1')
    .replaceAll('1.36.1-r29', '1.36.1-r30')
    .replaceAll('7.88.1-10', '7.88.1-10+deb12u1')
    .replaceAll('2.36-9+deb12u4', '2.36-9+deb12u5')

const toImages = ({ artifacts }: Scan) =>
  artifacts.images.map(({ reference, namespace, workload }) => `${reference} ${namespace ?? '-'} ${workload ?? '-'}`)

test.each<[FixtureName, number]>([
  ['trivy-k8s-all', 7],
  ['trivy-k8s-summary', 4],
  ['trivy-image', 3],
  ['trivy-operator', 3],
])('%s: a rollout is no change', async (name, findings) => {
  const report = fixture(name)
  expect(rollOut(report)).not.toBe(report)
  expect(await compare(report, rollOut(report))).toMatchObject({
    new: [],
    resolved: [],
    regressed: [],
    unchangedCount: findings,
    incomparableCount: 0,
  })
})

describe('trivy k8s --report all', () => {
  const report = fixture('trivy-k8s-all')

  test('has vulnerabilities, misconfigurations and secrets', async () => {
    const scan = await read(report)
    expect(scan).toMatchObject({
      format: 'trivy',
      clusterName: 'shop-prod',
      totalChecks: 7,
      failedChecks: 6,
      findings: { total: 7, critical: 2, high: 2, medium: 1, low: 1, info: 1 },
      score: { value: 75.47, source: 'computed' },
    })
    expect(await toFindings(scan)).toEqual([
      'critical CVE-2026-1001 shop deployment/web | libssl3 3.0.11-1~deb12u2, fixed in 3.0.13-1~deb12u1 | nginx:1.27.3',
      'critical CVE-2026-1001 shop deployment/web | openssl 3.0.11-1~deb12u2, fixed in 3.0.13-1~deb12u1 | nginx:1.27.3',
      "high KSV-0014 shop deployment/web | Container 'web' of Deployment 'web' should set 'securityContext.readOnlyRootFilesystem' to true | -",
      'high private-key shop deployment/web | Asymmetric Private Key | /etc/web/key.pem',
      'info CVE-2026-1002 shop deployment/web | zlib1g 1:1.2.13, no fix yet | nginx:1.27.3',
      "low KSV-0011 ops pod/debug | Container 'debug' of Pod 'debug' should set 'resources.limits.cpu' | -",
      'medium CVE-2026-1003 shop deployment/web | semver 7.5.1, fixed in 7.5.2 | usr/share/web/node_modules/semver/package.json',
    ])
    expect(toImages(scan)).toEqual(['nginx:1.27.3 shop deployment/web'])
  })

  test('never repeats what a secret is', async () => {
    expect((await toFindings(await read(report))).join()).not.toContain('BEGIN')
  })

  test('a vulnerability that it lists no more is resolved, one that it did not list is new', async () => {
    const other = report.replace('CVE-2026-1003', 'CVE-2026-1099')
    const { new: came, resolved, incomparableCount } = await compare(report, other)
    expect(came).toMatchObject([{ check_id: 'CVE-2026-1099' }])
    expect(resolved).toMatchObject([{ check_id: 'CVE-2026-1003', severity: 'medium' }])
    expect(incomparableCount).toBe(0)
  })

  test('of a cluster where nothing was found it is only the name', async () => {
    const scan = await read('{"ClusterName":"empty"}')
    expect(scan).toMatchObject({ format: 'trivy', clusterName: 'empty', score: { value: 100 }, findings: { total: 0 } })
  })
})

test('older versions list vulnerabilities and misconfigurations apart', async () => {
  const { ClusterName, Resources } = JSON.parse(fixture('trivy-k8s-all'))
  const apart = { ClusterName, Vulnerabilities: [Resources[0]], Misconfigurations: Resources.slice(1) }
  expect(await toFindings(await read(JSON.stringify(apart)))).toEqual(
    await toFindings(await read(fixture('trivy-k8s-all'))),
  )
})

test('trivy k8s --report summary has the same as findings', async () => {
  const scan = await read(fixture('trivy-k8s-summary'))
  expect(scan).toMatchObject({
    format: 'trivy',
    clusterName: 'shop-prod',
    failedChecks: 3,
    findings: { total: 4, critical: 0, high: 2, medium: 1, low: 1, info: 0 },
    score: { value: 88.89, source: 'computed' },
  })
  expect(toImages(scan)).toEqual(['registry.shop.example/db:16.3 shop statefulset/db'])
})

test('trivy image has one artifact, which is the image of all findings', async () => {
  const scan = await read(fixture('trivy-image'))
  expect(scan).toMatchObject({
    format: 'trivy',
    clusterName: undefined,
    generatedAt: Date.UTC(2026, 7, 20, 6) / 1000,
    findings: { total: 3, critical: 1, high: 1, medium: 0, low: 1, info: 0 },
    score: { value: 86.58, source: 'computed' },
  })
  expect(toImages(scan)).toEqual(['registry.shop.example/shop/cart:2026.8.0 - -'])
  expect(await toFindings(scan)).toContain(
    'critical CVE-2026-3003 - image/registry.shop.example/shop/cart | stdlib v1.25.1, fixed in 1.25.4, 1.26.0 | app/cart',
  )
})

test('trivy fs names the files', async () => {
  const report = fixture('trivy-image').replace('container_image', 'filesystem')
  expect(await toFindings(await read(report))).toContain(
    'critical CVE-2026-3003 - app/cart | stdlib v1.25.1, fixed in 1.25.4, 1.26.0 | app/cart',
  )
})

test('the reports of the operator come as a list', async () => {
  const scan = await read(fixture('trivy-operator'))
  expect(scan).toMatchObject({
    format: 'trivy',
    totalChecks: 4,
    failedChecks: 3,
    findings: { total: 3, critical: 0, high: 2, medium: 1, low: 0, info: 0 },
    score: { value: 89.29, source: 'computed' },
  })
  expect(toImages(scan)).toEqual(['index.docker.io/library/nginx:1.27.3 shop replicaset/web'])
})

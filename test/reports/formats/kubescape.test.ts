import { expect, test } from 'vitest'
import { compare, fixture, read, toFindings } from './fixture.ts'

const report = fixture('kubescape')
const rolledOut = report
  .replaceAll('7d9c5b8f66-k2j4x', '6b5f8d7c9f-q4t7v')
  .replaceAll('nginx:1.27.3', 'nginx:1.27.4')
  .replaceAll('containers[0].securityContext', 'containers[1].securityContext')

test('severity is that of the factor of a control', async () => {
  const scan = await read(report)
  expect(scan).toMatchObject({
    format: 'kubescape',
    clusterName: 'shop-prod',
    generatedAt: Date.UTC(2026, 7, 20, 6) / 1000,
    totalChecks: 5,
    failedChecks: 4,
    findings: { total: 6, critical: 1, high: 1, medium: 4, low: 0, info: 0 },
    score: { value: 77.46, source: 'scanner' },
    scope: { excludedNamespaces: ['kube-system'], checkIds: ['C-0057', 'C-0270', 'C-0035', 'C-0007', 'C-0013'] },
  })
  expect(await toFindings(scan)).toEqual([
    'critical C-0007 - clusterrolebinding/devs | Roles with delete capabilities | -',
    'high C-0057 shop deployment/web | Privileged container | spec.template.spec.containers[0].securityContext.privileged',
    'medium C-0035 - clusterrolebinding/devs | Administrative Roles | -',
    'medium C-0035 - clusterrolebinding/devs | Administrative Roles | relatedObjects[1].rules[0].verbs[0]',
    'medium C-0270 ops pod/debug | Ensure CPU limits are set | -',
    'medium C-0270 shop deployment/web | Ensure CPU limits are set | spec.template.spec.containers[0].resources.limits.cpu',
  ])
})

test('the images are those of the resources', async () => {
  const { artifacts } = await read(report)
  expect(artifacts.kubernetesVersion).toBe('v1.34.2')
  expect(artifacts.images.map(({ reference, namespace, workload }) => `${reference} ${namespace} ${workload}`)).toEqual(
    [
      'busybox:1.36.1 shop deployment/web',
      'nginx:1.27.3 shop deployment/web',
      'quay.io/ops/debug:v2.1.0 ops pod/debug',
    ],
  )
})

test('its parts may come in any order', async () => {
  const backwards = Object.fromEntries(Object.entries(JSON.parse(report)).reverse())
  expect(await toFindings(await read(JSON.stringify(backwards)))).toEqual(await toFindings(await read(report)))
})

test('without a compliance score, which older versions lack, one is computed', async () => {
  const scan = await read(report.replaceAll('"complianceScore"', '"other"'))
  expect(scan.score).toEqual({ value: 81.3, source: 'computed' })
})

test('a rollout is no change', async () => {
  expect(rolledOut).not.toBe(report)
  expect(await compare(report, rolledOut)).toMatchObject({ new: [], resolved: [], regressed: [], unchangedCount: 6 })
})

test('a control that passes now is resolved', async () => {
  const mended = JSON.parse(report)
  const passed = { status: { status: 'passed' }, rules: [] }
  Object.assign(mended.results[0].controls[0], passed)
  Object.assign(mended.summaryDetails.controls['C-0057'], {
    statusInfo: passed.status,
    status: 'passed',
    ResourceCounters: { passedResources: 2, failedResources: 0 },
    score: 0,
    complianceScore: 100,
  })
  expect((await compare(report, JSON.stringify(mended))).resolved).toMatchObject([
    { check_id: 'C-0057', category: 'Workload' },
  ])
})

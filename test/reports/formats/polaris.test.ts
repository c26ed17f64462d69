import { expect, test } from 'vitest'
import { compare, fixture, read, toFindings } from './fixture.ts'

const report = fixture('polaris')
const rolledOut = report.replaceAll('7d9c5b8f66-k2j4x', '6b5f8d7c9f-q4t7v').replaceAll('2026-08-20', '2026-08-27')

test('danger is high, warning is medium, what is ignored is no check', async () => {
  const scan = await read(report)
  expect(scan).toMatchObject({
    format: 'polaris',
    clusterName: 'shop-prod',
    generatedAt: Date.UTC(2026, 7, 20, 6) / 1000,
    totalChecks: 6,
    failedChecks: 4,
    findings: { total: 5, critical: 0, high: 3, medium: 2, low: 0, info: 0 },
    score: { value: 33, source: 'scanner' },
    artifacts: { kubernetesVersion: '1.34', images: [] },
  })
  expect(await toFindings(scan)).toEqual([
    'high hostNetworkSet ops pod/debug | Host network should not be configured | -',
    'high runAsPrivileged shop deployment/web | Should not be running as privileged | sidecar',
    'high runAsPrivileged shop deployment/web | Should not be running as privileged | web',
    'medium cpuLimitsMissing shop deployment/web | CPU limits should be set | sidecar',
    'medium deploymentMissingReplicas shop deployment/web | Only one replica is scheduled | -',
  ])
})

test('a report of older versions has no score: it is computed', async () => {
  const scan = await read(report.replace(/,\s*"Score": 33/, ''))
  expect(scan.score).toEqual({ value: 84.03, source: 'computed' })
})

test('a rollout is no change', async () => {
  expect(rolledOut).not.toBe(report)
  expect(await compare(report, rolledOut)).toMatchObject({ new: [], resolved: [], regressed: [], unchangedCount: 5 })
})

test('a check that is not made any more is no finding resolved', async () => {
  const without = report.replace(/"deploymentMissingReplicas": \{[^}]*\}/, '')
  const { resolved, incomparableCount, scopeChanges } = await compare(report, without)
  expect({ resolved, incomparableCount }).toEqual({ resolved: [], incomparableCount: 1 })
  expect(scopeChanges.checks_removed).toEqual(['deploymentMissingReplicas'])
})

test('when only what failed was asked for, a check that has gone has passed', async () => {
  const failedOnly = report.replaceAll(
    /"\w+": \{ "ID": "\w+", "Message": "[^"]*", "Details": null, "Success": true[^}]*\},?/g,
    '',
  )
  const valid = failedOnly.replaceAll(/,(\s*\})/g, '$1')
  const without = valid.replace(/"deploymentMissingReplicas": \{[^}]*\}/, '')
  expect((await compare(valid, without)).resolved).toMatchObject([{ check_id: 'deploymentMissingReplicas' }])
})

import { describe, expect, test } from 'vitest'
import { severityFor } from '../../../src/reports/finding-index.ts'
import type { Scan } from '../../../src/reports/scan.ts'
import { compare, fixture, read, toFindings } from './fixture.ts'

const passed = ({ totalChecks, failedChecks, checksNotRun }: Scan) => totalChecks - failedChecks - checksNotRun.length
const reasons = ({ checksNotRun }: Scan) => checksNotRun.map(({ id, reason }) => `${id}: ${reason}`)

const suppressedOf = ({ index }: Scan) =>
  index.suppressed.map(({ check, rank, ...row }) => ({
    checkId: index.checks[check]!.id,
    severity: severityFor(rank),
    ...row,
  }))

describe('kubescape', () => {
  const control = (controlID: string, statusInfo: object) => ({
    controlID,
    name: `Name of ${controlID}`,
    scoreFactor: 5,
    statusInfo,
  })
  const report = (...results: object[]) =>
    JSON.stringify({
      clusterName: 'shop',
      summaryDetails: {
        controls: {
          'C-1': control('C-1', {
            status: 'skipped',
            subStatus: 'configuration',
            info: 'Control missing configuration',
          }),
          'C-2': control('C-2', { status: 'skipped', subStatus: 'manual review' }),
          'C-3': control('C-3', { status: 'passed', subStatus: 'irrelevant' }),
          'C-4': control('C-4', { status: 'passed', subStatus: 'w/exceptions' }),
          'C-5': control('C-5', { status: 'passed' }),
        },
      },
      results,
    })
  const result = (resourceID: string, controlID: string, status: object, rules: object[] = []) => ({
    resourceID,
    controls: [{ controlID, name: controlID, status, rules }],
  })

  test('a skipped control did not run, for the reason that it gives', async () => {
    const scan = await read(report())
    expect(reasons(scan)).toEqual(['C-1: Control missing configuration', 'C-2: manual review'])
    expect(passed(scan)).toBe(3)
  })

  test('an exception is suppressed, with its reason and end', async () => {
    const rule = { exception: [{ name: 'known', reason: 'legacy', expirationDate: '2026-12-01T00:00:00Z' }] }
    const excepted = { status: 'passed', subStatus: 'w/exceptions' }
    const scan = await read(
      report(
        result('apps/v1/shop/Deployment/web', 'C-4', excepted, [rule]),
        result('apps/v1/shop/Deployment/cart', 'C-4', { status: 'passed' }),
        result('apps/v1/shop/Deployment/old', 'C-4', { status: 'excluded' }),
      ),
    )
    expect(scan.findings.total).toBe(0)
    expect(suppressedOf(scan)).toMatchObject([
      {
        checkId: 'C-4',
        severity: 'medium',
        resource: 'deployment/web',
        reason: 'legacy',
        until: '2026-12-01T00:00:00Z',
      },
      { checkId: 'C-4', resource: 'deployment/old', reason: null, until: null },
    ])
  })

  test('a control that failed here and was skipped there did not run, and resolves nothing', async () => {
    const skipped = { status: 'skipped', info: 'forbidden' }
    const failed = { status: 'failed' }
    const partly = report(result('/v1/shop/Pod/a', 'C-5', failed), result('/v1/shop/Pod/b', 'C-5', skipped))
    const scan = await read(partly)
    expect(scan).toMatchObject({ totalChecks: 5, failedChecks: 0, findings: { total: 1 } })
    expect(reasons(scan)).toContain('C-5: Did not run everywhere: forbidden')
    const whole = report(result('/v1/shop/Pod/a', 'C-5', failed), result('/v1/shop/Pod/b', 'C-5', failed))
    expect(await compare(whole, partly)).toMatchObject({
      new: [],
      resolved: [],
      incomparableCount: 1,
      unchangedCount: 1,
    })
  })

  test('a service of another group is another one', async () => {
    const failed = (id: string) => result(id, 'C-5', { status: 'failed' })
    const both = report(failed('/v1/shop/Service/web'), failed('serving.knative.dev/v1/shop/Service/web'))
    expect(await toFindings(await read(both))).toHaveLength(2)
    const newer = both.replace('serving.knative.dev/v1/', 'serving.knative.dev/v2/')
    expect(await compare(both, newer)).toMatchObject({ new: [], resolved: [], unchangedCount: 2 })
  })

  test('the same resource in two files is two', async () => {
    const failed = (path: number) => result(`path=${path}/api=apps/v1/shop/Deployment/web`, 'C-5', { status: 'failed' })
    expect(await toFindings(await read(report(failed(1), failed(2))))).toHaveLength(2)
  })
})

describe('kube-bench', () => {
  const row = (test_number: string, status: string, more = {}) => ({
    test_number,
    test_desc: test_number,
    status,
    ...more,
  })
  const controls = (id: string, node_type: string, ...results: object[]) => ({
    id,
    node_type,
    tests: [{ section: `${id}.1`, desc: 'Group', results }],
  })
  const report = (...Controls: object[]) => JSON.stringify({ Controls })

  test('information, and an audit that failed, did not run; a manual check is left to a person', async () => {
    const scan = await read(
      report(
        controls(
          '1',
          'master',
          row('1', 'INFO', { reason: 'Test marked as skip' }),
          row('2', 'WARN', { reason: 'failed to run: "ps", output: "", error: exit status 127' }),
          row('3', 'WARN', { reason: 'Test marked as a manual test' }),
          row('4', 'ERROR'),
          row('5', 'PASS'),
          row('6', 'FAIL'),
        ),
      ),
    )
    expect(reasons(scan)).toEqual([
      '1: Test marked as skip',
      '2: failed to run: "ps", output: "", error: exit status 127',
      '4: not understood: its status is "ERROR"',
    ])
    expect(scan).toMatchObject({ totalChecks: 6, failedChecks: 2, findings: { high: 1, low: 1 } })
    expect(passed(scan)).toBe(1)
  })

  test('another type of node is another subject: its findings are new, and a report without it resolves none', async () => {
    const [master, node] = [controls('1', 'master', row('1.1', 'FAIL')), controls('1', 'node', row('1.1', 'FAIL'))]
    expect((await compare(report(master), report(master, node))).new).toHaveLength(1)
    const without = await compare(report(master, node), report(node))
    expect(without).toMatchObject({ resolved: [], incomparable: [{ reason: 'subject_not_in_run', count: 1 }] })
  })
})

describe('trivy', () => {
  const resource = (Name: string, more: object) => ({ Namespace: 'shop', Kind: 'Deployment', Name, ...more })
  const report = (...Resources: object[]) => JSON.stringify({ ClusterName: 'shop', Resources })

  test('a resource that could not be scanned did not run', async () => {
    const scan = await read(report(resource('web', { Error: 'unauthorized: image pull' }), resource('cart', {})))
    expect(scan).toMatchObject({ totalChecks: 1, failedChecks: 0 })
    expect(reasons(scan)).toEqual(['Scan of shop/deployment/web: unauthorized: image pull'])
  })

  test('an exception and an ignored finding are suppressed, not passed or found', async () => {
    const misconfiguration = { ID: 'KSV-1', Title: 'A', Severity: 'HIGH', Status: 'EXCEPTION', Message: 'excepted' }
    const vulnerability = { VulnerabilityID: 'CVE-1', PkgName: 'zlib', InstalledVersion: '1', Severity: 'LOW' }
    const modified = (Status: string) => ({
      Type: 'vulnerability',
      Status,
      Statement: 'not reached',
      Finding: vulnerability,
    })
    const result = {
      Target: 'a',
      Misconfigurations: [misconfiguration],
      ExperimentalModifiedFindings: [modified('not_affected'), { Type: 'license', Finding: {} }],
    }
    const scan = await read(report(resource('web', { Results: [result] })))
    expect(scan).toMatchObject({ totalChecks: 2, failedChecks: 0, findings: { total: 0 } })
    expect(suppressedOf(scan)).toMatchObject([
      { checkId: 'KSV-1', severity: 'high', reason: 'excepted' },
      { checkId: 'CVE-1', severity: 'low', reason: 'not_affected: not reached' },
    ])
  })

  test('licenses are named as left out', async () => {
    const licenses = [{ Name: 'GPL-3.0', Severity: 'HIGH' }, { Name: 'MIT' }]
    const scan = await read(
      JSON.stringify({
        ArtifactName: 'shop',
        Results: [{ Target: 'OS Packages', Class: 'license', Licenses: licenses }],
      }),
    )
    expect(scan).toMatchObject({
      findings: { total: 0 },
      warnings: ['Left out: 2 licenses of OS Packages. relt does not rate licenses.'],
    })
  })

  test('two versions of a package in one target are two findings, and a bump of one is no change', async () => {
    const row = (InstalledVersion: string) => ({ VulnerabilityID: 'CVE-1', PkgName: 'lodash', InstalledVersion })
    const log = (...versions: string[]) =>
      report(resource('web', { Results: [{ Target: 'lock', Vulnerabilities: versions.map(row) }] }))
    expect((await compare(log('1.0'), log('1.0', '2.0'))).new).toHaveLength(1)
    expect((await compare(log('1.0', '2.0'), log('2.0'))).resolved).toHaveLength(1)
    expect(await compare(log('1.0', '2.0'), log('1.0', '2.1'))).toMatchObject({
      new: [],
      resolved: [],
      unchangedCount: 2,
    })
  })
})

describe("the reports of trivy's operator", () => {
  const { items } = JSON.parse(fixture('trivy-operator'))
  const operator = (kind: string, report: object, metadata: object = {}) => ({
    apiVersion: 'aquasecurity.github.io/v1alpha1',
    kind,
    metadata: { name: 'a', namespace: 'shop', ...metadata },
    report,
  })
  const checks = [{ checkID: 'KSV-1', title: 'A', severity: 'HIGH', success: false, messages: ['is wrong'] }]

  test('a single one is read as it is in a list', async () => {
    const alone = [
      ...(await toFindings(await read(JSON.stringify(items[0])))),
      ...(await toFindings(await read(JSON.stringify(items[1])))),
    ]
    expect(alone.sort()).toEqual(await toFindings(await read(fixture('trivy-operator'))))
  })

  test.each([
    'ConfigAuditReport',
    'RbacAssessmentReport',
    'InfraAssessmentReport',
    'ClusterConfigAuditReport',
    'ClusterRbacAssessmentReport',
  ])('a %s has checks', async (kind) => {
    const metadata = {
      labels: { 'trivy-operator.resource.kind': 'ClusterRole' },
      annotations: { 'trivy-operator.resource.name': 'system:node' },
    }
    expect(await toFindings(await read(JSON.stringify(operator(kind, { checks }, metadata))))).toEqual([
      'high KSV-1 shop clusterrole/system:node | is wrong | -',
    ])
  })

  test('exposed secrets are named without the secret', async () => {
    const secrets = ['/a.pem', '/b.pem'].map((target) => ({
      ruleID: 'private-key',
      title: 'Key',
      severity: 'CRITICAL',
      target,
      match: 'BEGIN',
    }))
    const found = await toFindings(await read(JSON.stringify(operator('ExposedSecretReport', { secrets }))))
    expect(found).toEqual([
      'critical private-key shop exposedsecretreport/a | Key | /a.pem',
      'critical private-key shop exposedsecretreport/a | Key | /b.pem',
    ])
  })

  test('what else a list holds is counted', async () => {
    const others = [{ kind: 'Pod' }, { kind: 'Pod' }, operator('SbomReport', {}), {}]
    const scan = await read(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...others, ...items] }))
    expect(scan.findings.total).toBe(3)
    expect(scan.warnings).toEqual([
      'Left out of the list: 1 SbomReport, 1 object, 2 Pod. relt reads reports of findings only.',
    ])
  })
})

describe('popeye', () => {
  const issue = (level: number, message: string, group = '__root__') => ({ group, level, message })
  const report = (linter: string, issues: object) =>
    JSON.stringify({ popeye: { score: 80, sections: [{ linter, tally: { ok: 1 }, issues }] }, ClusterName: 'shop' })

  test('without a metrics server what rests on it did not run', async () => {
    const scan = await read(report('cluster', { shop: [issue(1, '[POP-402] No metrics-server detected')] }))
    expect(scan.checksNotRun).toContainEqual({ id: 'POP-109', name: 'POP-109', reason: 'No metrics-server detected' })
    expect(scan).toMatchObject({ failedChecks: 1, findings: { info: 1 } })
  })

  test('an error among issues with codes kept its section from being looked at', async () => {
    const scan = await read(
      report('pods', { 'shop/web': [issue(2, '[POP-106] No limits')], '': [issue(3, 'pods is forbidden')] }),
    )
    expect(reasons(scan)).toEqual(['POP-pods: pods is forbidden'])
    expect(scan).toMatchObject({ totalChecks: 2, failedChecks: 1, findings: { total: 1 } })
  })

  test('two ports of a service are two findings', async () => {
    const port = (number: number) =>
      issue(1, `[POP-1102] Use of target port #${number} for service port TCP::${number}`)
    const both = report('services', { 'shop/web': [port(80), port(443)] })
    expect((await compare(report('services', { 'shop/web': [port(80)] }), both)).new).toHaveLength(1)
  })

  test('two containers are two findings', async () => {
    const [a, b] = [issue(3, '[POP-100] Untagged', '1'), issue(3, '[POP-100] Untagged', '2')]
    expect(await toFindings(await read(report('pods', { 'shop/web': [a, b] })))).toHaveLength(2)
  })
})

test('polaris: containers are told apart by name, whatever the sentence', async () => {
  const container = (Name: string, Message: string) => ({
    Name,
    Results: { cpu: { ID: 'cpu', Message, Success: false, Severity: 'warning' } },
  })
  const rest = { Name: 'web', Kind: 'Pod', Namespace: 'shop', Results: {} }
  const report = (...ContainerResults: object[]) =>
    JSON.stringify({
      PolarisOutputVersion: '1.0',
      Results: [{ ...rest, PodResult: { Results: {}, ContainerResults } }],
    })
  expect(await toFindings(await read(report(container('1', 'a'), container('2', 'a'))))).toHaveLength(2)
  expect(await compare(report(container('1', 'a')), report(container('1', 'other')))).toMatchObject({
    new: [],
    resolved: [],
  })
})

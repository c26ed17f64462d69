import { describe, expect, test } from 'vitest'
import { compare, fixture, read, readOrRefuse, toFindings } from './fixture.ts'

/** Parsed. */
type Json = ReturnType<typeof JSON.parse>

type Values = Record<string, unknown>

/** A list of reports with what a collection lacks. */
const withCollection = (report: string, collection: Values): string =>
  JSON.stringify({ collection: { collected_at: '2026-11-22 12:00:00', ...collection }, ...JSON.parse(report) })

const without = (report: string, isLeftOut: (item: Values & { kind: string }) => boolean): string => {
  const list = JSON.parse(report)
  return JSON.stringify({ ...list, items: list.items.filter((item: never) => !isLeftOut(item)) })
}

const unread = (kind: string, category: string) => ({
  unread_kinds: [{ kind, category, reason: 'forbidden', expected: true }],
})

describe('policy reports', () => {
  const report = fixture('policy-report')

  test('have a finding for each failed and warned result', async () => {
    const scan = await read(report)
    expect(scan).toMatchObject({ format: 'policy-report', totalChecks: 8, failedChecks: 4 })
    expect(await toFindings(scan)).toEqual([
      'high require-limits/autogen-check shop deployment/web | validation error: CPU limits are required. rule autogen-check failed at path /spec/template/ | kyverno',
      'high require-limits/autogen-check shop pod/jobs-7d9c5b8f66-k2j4x | CPU limits are required | kyverno',
      'info clusterwide-no-root ops deployment/bus | root is not allowed | kubewarden',
      'low require-probes/probes shop deployment/web | a probe is missing | kyverno',
      'medium require-quota/quota ops namespace/ops | a quota is missing | kyverno',
    ])
  })

  test('list errors and rules that were only skipped as checks not run', async () => {
    expect((await read(report)).checksNotRun).toEqual([
      { id: 'verify-images/signature', name: 'verify-images/signature', reason: 'registry unreachable' },
      { id: 'restrict-seccomp/seccomp', name: 'restrict-seccomp/seccomp', reason: 'preconditions not met' },
    ])
  })

  test('an exception suppresses its finding', async () => {
    const { index } = await read(report)
    expect(index.suppressed).toMatchObject([{ reason: 'web-team' }])
  })

  test('a reworded policy and another pod are no change', async () => {
    const reworded = report.replaceAll('CPU limits are required', 'Set CPU limits').replaceAll('k2j4x', 'q4t7v')
    expect(await compare(report, reworded)).toMatchObject({ new: [], resolved: [], incomparableCount: 0 })
  })

  test('a result that is not known is a check not run', async () => {
    const other = report.replaceAll('"result": "fail"', '"result": "broken"')
    const scan = await read(other)
    expect(scan.findings.total).toBe(1)
    expect(scan.checksNotRun).toContainEqual(
      expect.objectContaining({ reason: 'not understood: its result is "broken"' }),
    )
  })

  test('a finding is not resolved when the list lacks a kind that the earlier one had', async () => {
    const gap = withCollection(
      without(report, ({ kind }) => kind === 'ClusterPolicyReport' || kind === 'Report'),
      unread('ClusterPolicyReport', '*'),
    )
    const { resolved, incomparable } = await compare(report, gap)
    expect(resolved).toEqual([])
    expect(incomparable).toMatchObject([{ reason: 'check_not_run' }, { reason: 'check_not_run' }])
  })
})

describe("reports of Kubescape's operator", () => {
  const report = fixture('kubescape-operator')

  test('have findings of controls, and numbers of vulnerabilities', async () => {
    const scan = await read(report)
    expect(scan).toMatchObject({ format: 'kubescape', totalChecks: 9, failedChecks: 5 })
    expect(await toFindings(scan)).toEqual([
      'critical vulnerabilities-critical shop deployment/web | 2 vulnerabilities of critical severity | nginx',
      'high vulnerabilities-high shop deployment/web | 1 vulnerability of high severity | nginx',
      'info vulnerabilities-info shop deployment/web | 4 vulnerabilities of negligible or unknown severity | nginx',
      'low vulnerabilities-low shop deployment/web | 5 vulnerabilities of low severity | nginx',
      'medium C-0013 shop deployment/web | Non-root containers | spec.template.spec.securityContext.runAsNonRoot',
    ])
    expect(scan.checksNotRun).toMatchObject([{ id: 'C-0270', reason: 'metrics of the node are missing' }])
    expect(scan.index.suppressed).toHaveLength(1)
    expect(scan.artifacts.images).toMatchObject([{ reference: 'nginx:1.27.3', namespace: 'shop' }])
  })

  test('without a spec are not run and did not look at anything', async () => {
    const list = JSON.parse(report)
    for (const item of list.items) delete item.spec
    const scan = await read(JSON.stringify(list))
    expect(scan.checksNotRun).toHaveLength(1)
    expect(scan).toMatchObject({ totalChecks: 1, failedChecks: 0, findings: { total: 0 }, lookedAt: false })
  })

  test('another number of vulnerabilities changes a finding', async () => {
    const more = report.replace('"all": 2', '"all": 3')
    expect(await compare(report, more)).toMatchObject({ new: [], resolved: [], incomparableCount: 0 })
  })

  test('a finding is not resolved when no summary could be read', async () => {
    const gap = without(report, ({ kind }) => kind === 'VulnerabilityManifestSummary')
    expect(await compare(report, gap)).toMatchObject({ resolved: [], incomparableCount: 4 })
  })
})

describe("manifests of Kubescape's operator", () => {
  const report = fixture('kubescape-manifest')
  const changed = (change: (items: Json[]) => void) => {
    const list = JSON.parse(report)
    change(list.items)
    return JSON.stringify(list)
  }

  test('name vulnerabilities once for all workloads of an image', async () => {
    const web = ['shop/web', 'blog/front'].map((name) => name.split('/'))
    const of = ([namespace, name]: string[]) => ({ namespace, resource: `deployment/${name}`, container: 'nginx' })
    const scan = await read(
      changed(([nginx, redis]) => {
        nginx.workloads = web.map(of)
        redis.workloads = [{ namespace: 'shop', resource: 'statefulset/cache', container: 'redis' }]
      }),
    )
    expect(scan).toMatchObject({ format: 'kubescape', vulnerabilityScan: true, checksNotRun: [] })
    // The scanner counts each in each of the two workloads.
    expect(scan.findings).toMatchObject({ total: 10, critical: 4, high: 2, info: 4 })
    expect(scan.index.suppressed).toHaveLength(1)
    expect(scan.imageAdvisories).toEqual({
      'nginx:1.27.3': ['CVE-2026-1001', 'CVE-2026-1002', 'CVE-2026-1003', 'CVE-2026-1004'],
    })
    expect(scan.artifacts.images.map(({ reference, namespace }) => `${namespace} ${reference}`)).toEqual([
      'shop nginx:1.27.3',
      'blog nginx:1.27.3',
      'shop redis:7.4.1',
    ])
  })

  test('the fix of a package changes a finding, and a fixed package resolves it', async () => {
    const fixed = changed(([{ spec }]) => {
      spec.payload.matches[2].vulnerability.fix = { versions: ['1.2.13-2'], state: 'fixed' }
    })
    expect(await compare(report, fixed)).toMatchObject({ new: [], resolved: [] })
    const gone = changed(([{ spec }]) => {
      spec.payload.matches.splice(2, 1)
      spec.severities.high.all = 0
    })
    expect((await compare(report, gone)).resolved).toMatchObject([{ check_id: 'CVE-2026-1002' }])
  })

  test.each<[string, (item: Json) => void]>([
    ['a summary counts more', ({ spec }) => spec.payload.matches.pop()],
    ['the list is empty', ({ spec }) => (spec.payload.matches = [])],
    ['the list has another name', ({ spec }) => (spec.payload = { Matches: spec.payload.matches, matches: [] })],
    ['a severity is worse than counted', ({ spec }) => (spec.severities.critical.all = 3)],
    ['the content is missing', ({ spec }) => delete spec.payload],
  ])('are not clean where %s', async (_, change) => {
    const faulty = changed(([item]) => change(item!))
    const scan = await read(faulty)
    expect(scan.checksNotRun.length).toBeGreaterThan(0)
    expect((await compare(report, faulty)).resolved).toEqual([])
  })
})

describe("compliance reports of Trivy's operator", () => {
  const report = fixture('trivy-compliance')
  const changed = (change: (status: Json) => void, index = 0) => {
    const list = JSON.parse(report)
    change(list.items[index].status)
    return JSON.stringify(list)
  }

  test('have a finding of each failed control, or of each failure', async () => {
    const scan = await read(report)
    expect(await toFindings(scan)).toEqual([
      'high k8s-cis-1.23 5.1.1 - compliance/k8s-cis-1.23 | 3 failures of this control | -',
      'high k8s-cis-1.23 5.2.2 - compliance/k8s-cis-1.23 | 1 failure of this control | -',
      'medium k8s-nsa-1.0 1.0 - clusterrole/admin | Runs as root user | AVD-KSV-0012',
      'medium k8s-nsa-1.0 1.0 shop replicaset/web-65cc8855c | Runs as root user | AVD-KSV-0012',
    ])
    // Controls left to a person are neither good nor bad.
    expect(scan.checksNotRun.map(({ id }) => id)).toEqual(['k8s-cis-1.23 5.4.1', 'k8s-nsa-1.0 5.0'])
    expect(scan.totalChecks).toBe(7)
  })

  test('a rollout changes nothing', async () => {
    const rolled = report.replace('replicaset-web-65cc8855c', 'replicaset-web-7d9f8b6c5d')
    expect(await compare(report, rolled)).toMatchObject({ new: [], resolved: [] })
  })

  test('another number of failures changes a finding', async () => {
    const more = changed(({ summaryReport }) => (summaryReport.controlCheck[0].totalFail = 4))
    expect(await compare(report, more)).toMatchObject({ new: [], resolved: [] })
  })

  test('without results yet are not run', async () => {
    const scan = await read(changed((status) => delete status.summaryReport))
    expect(scan.checksNotRun).toContainEqual(expect.objectContaining({ reason: 'The report has no results yet.' }))
  })

  test.each<[string, number, (status: Json) => void]>([
    ['a control is missing', 0, ({ summaryReport }) => summaryReport.controlCheck.shift()],
    ['a total contradicts', 0, ({ summaryReport }) => (summaryReport.controlCheck[0].totalFail = 0)],
    ['a total is a text', 0, ({ summaryReport }) => (summaryReport.controlCheck[0].totalFail = 'none')],
    [
      'a total has another name',
      0,
      ({
        summaryReport: {
          controlCheck: [control],
        },
      }) => {
        control.total_fail = control.totalFail
        delete control.totalFail
      },
    ],
    ['the checks are gone', 1, ({ detailReport }) => (detailReport.results[0].checks = [])],
    [
      'the success is a text',
      1,
      ({ detailReport }) => {
        for (const check of detailReport.results[0].checks) check.success = 'no'
      },
    ],
    [
      'the outcome has another name',
      1,
      ({ detailReport }) => (detailReport.results[0].checks = [{ success: true, failed: 2 }]),
    ],
  ])('resolve nothing where %s', async (_, index, change) => {
    const faulty = changed(change, index)
    expect((await compare(report, faulty)).resolved).toEqual([])
    expect((await read(faulty)).checksNotRun.length).toBeGreaterThan(2)
  })
})

describe("a collection of Trivy's operator", () => {
  const report = fixture('trivy-operator')

  test('names the kinds and namespaces that it lacks', async () => {
    const more = { ...unread('ExposedSecretReport', 'Secret'), unreported_namespaces: ['ops'] }
    const scan = await read(withCollection(report, more))
    expect(scan.checksNotRun.map(({ id }) => id)).toEqual(['ExposedSecretReport', 'namespace ops'])
    expect(scan.scope).toMatchObject({ excludedNamespaces: ['ops'], unreportedNamespaces: ['ops'] })
  })

  test('a finding is not resolved when its kind could not be read', async () => {
    const left = without(report, ({ kind }) => kind === 'VulnerabilityReport')
    expect(await compare(report, left)).toMatchObject({
      resolved: [],
      incomparable: [{ reason: 'part_not_in_run' }, { reason: 'part_not_in_run' }],
    })
    const { resolved, incomparable } = await compare(
      report,
      withCollection(left, unread('VulnerabilityReport', 'Vulnerability')),
    )
    expect(resolved).toEqual([])
    expect(incomparable).toMatchObject([
      { reason: 'check_not_run', detail: 'forbidden', count: 1 },
      { reason: 'check_not_run', detail: 'forbidden', count: 1 },
    ])
  })

  test('a kind that neither run has does not hide other changes', async () => {
    const gap = unread('RbacAssessmentReport', 'Misconfiguration')
    const mended = report
      .replace('"success": false', '"success": true')
      .replace('"highCount": 1, "mediumCount": 0', '"highCount": 0, "mediumCount": 0')
    const { resolved } = await compare(withCollection(report, gap), withCollection(mended, gap))
    expect(resolved).toMatchObject([{ check_id: 'KSV014' }])
  })

  test('a finding is not resolved when its namespace is not reported', async () => {
    const left = withCollection(
      without(report, ({ kind }) => kind === 'VulnerabilityReport'),
      { unreported_namespaces: ['shop'] },
    )
    const { resolved, incomparable } = await compare(report, left)
    expect(resolved).toEqual([])
    expect(incomparable).toContainEqual(expect.objectContaining({ reason: 'namespace_not_in_scope' }))
  })

  test.each([null, 5, [], { unread_kinds: [{ kind: 5 }], unreported_namespaces: [7] }])(
    'ignores a collection of another shape: %j',
    async (collection) => {
      const scan = await readOrRefuse(JSON.stringify({ ...JSON.parse(report), collection }))
      expect(scan).toMatchObject({ checksNotRun: [], scope: { excludedNamespaces: [] } })
    },
  )
})

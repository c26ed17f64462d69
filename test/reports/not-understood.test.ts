import { describe, expect, test } from 'vitest'
import { read, readOrRefuse } from './formats/fixture.ts'
import { type CheckWithItems, readWithItems, toChecks } from './scan.ts'

const rows = Array.from({ length: 12 }, (_, i) => ({
  Namespace: 'shop',
  Resource: `pod/web-${i}`,
  Message: 'is wrong',
}))
const good = { ID: 'SEC001', Name: 'Rule', Severity: 'critical', ResourceKind: 'Pod' }
const readCheck = (check: object): CheckWithItems => toChecks({ checks: { SEC001: { ...good, ...check } } })[0]!

describe('a check of KubeBuddy has not passed', () => {
  test.each<[string, object]>([
    ['with nothing but its name', {}],
    ['with total and items in another case', { total: 12, items: rows }],
    ['with rows under another name', { Total: 0, Items: [], Findings: rows }],
    ['with a count under another name', { Total: 0, Items: [], FindingsCount: 12 }],
    ['that is marked as skipped', { Total: 0, Items: [], Skipped: true }],
    ['that is marked as not run', { Total: 0, Items: [], Executed: false, Ran: 'no' }],
    ['with an error under another name', { Total: 0, Items: [], error: 'forbidden' }],
    ['with an error that is no text', { Total: 0, Items: [], Error: { code: 403 } }],
    [
      'that could not list its resources',
      { Total: 0, Items: [], Message: 'Unable to check due to: pods is forbidden' },
    ],
    ['with the error of kubectl', { Total: 0, Items: [], Message: 'Error from server (Forbidden): pods is forbidden' }],
    ['with a summary that says so', { Total: 0, Items: [], SummaryMessage: 'Error running AKS checks: no login' }],
    ['that says something else', { Total: 0, Items: [], Message: 'All good here' }],
    ['that passed with 12 rows', { Status: '✅ PASS', Total: 0, Items: rows }],
    ['with rows beside a total of 0', { Total: 0, Items: rows }],
    ['with a text in place of its rows', { Total: 0, Items: 'Error from server (Forbidden)' }],
    ['with a status of no vocabulary', { Status: 'BYPASS', Total: 0, Items: [] }],
    ['with a status that is no text', { Status: 1, Total: 0, Items: [] }],
    ['without a total', { Items: [] }],
    ['with a total of null', { Total: null, Items: [] }],
    ['whose nodes are all well, against its total', { Total: 1, Items: [{ Node: 'a', Status: '✅ Healthy' }] }],
  ])('%s', (_, check) => {
    const read = readCheck(check)
    expect(read.failed).toBe(false)
    expect(read.notRun).toBeTypeOf('string')
  })

  test.each<[string, object, number]>([
    ['PASS, with a total', { Status: '✅ PASS', Total: 12, Items: rows }, 12],
    ['PASS, with rows and without a total', { Status: '✅ PASS', Items: rows }, 12],
    ['rows that outnumber the total', { Total: 3, Items: rows }, 12],
    ['a node whose own status is bad', { Total: 0, Items: [{ Node: 'a', 'CPU Status': '🟡 Warning' }] }, 1],
    [
      'rows with a status that reads as good',
      { Total: 12, Items: rows.map((row) => ({ ...row, Status: 'Ready' })) },
      12,
    ],
  ])('but counts its findings: %s', (_, check, total) => {
    expect(readCheck(check)).toMatchObject({ failed: true, total })
  })
})

describe('a check of KubeBuddy has passed', () => {
  test.each<[string, object]>([
    ['with a total of 0 and no items', { Total: 0, Items: [] }],
    ['with a total of 0 alone', { Total: 0 }],
    ['with null for its items', { Total: 0, Items: null, Message: 'No issues detected for Rule.' }],
    ['with PASS', { Status: '✅ PASS', Total: 0, Items: null, ObservedValue: 'true', FailMessage: '' }],
    ['with nodes that are well', { Total: 0, Items: [{ Node: 'a', Status: '✅ Healthy', Issues: 'None' }] }],
    ['with a summary of what it used', { Total: 0, Items: [], SummaryMessage: 'Sizing recommendations use p95 data.' }],
    ['with a member that a newer build adds', { Total: 0, Items: [], Tags: ['security'], Owner: 'platform', Depth: 3 }],
  ])('%s', (_, check) => {
    expect(readCheck(check)).toMatchObject({ failed: false, total: 0, notRun: undefined })
  })
})

describe('a kind that could not be read', () => {
  const check = (id: string, ResourceKind: string, more: object = {}) => [
    id,
    { ID: id, Name: id, Severity: 'warning', ResourceKind, Total: 0, Items: [], ...more },
  ]
  const skipped = (message: string) => ({ Items: { Status: 'Skipped', Message: `Unable to check due to: ${message}` } })
  const notRun = (...checks: unknown[][]) =>
    readWithItems({ checks: Object.fromEntries(checks) })
      .report.checks.filter((each) => each.notRun !== undefined)
      .map(({ id }) => id)
  const forbidden =
    'roles.rbac.authorization.k8s.io is forbidden: User "system:serviceaccount:relt:scanner" cannot list resource "roles" in API group "rbac.authorization.k8s.io" at the cluster scope'

  test('leaves checks of the kind that the error names, or of the only kind of that check, not run', () => {
    expect(
      notRun(
        check('RBAC001', 'ClusterRoleBinding', skipped(forbidden)),
        check('RBAC004', 'Role, ClusterRole', skipped(forbidden)),
        check('RBAC009', 'RoleBinding, ClusterRoleBinding'),
        check('RBAC012', 'Role'),
        check('RBAC005', 'ClusterRole'),
        check('RBAC008', 'RoleBinding'),
        check('SEC018', 'ServiceAccount'),
      ),
    ).toEqual(['RBAC001', 'RBAC004', 'RBAC009', 'RBAC012'])
  })

  test('is secrets alone, where a role without secrets refuses them', () => {
    const secrets =
      'secrets is forbidden: User "system:serviceaccount:relt:agent" cannot list resource "secrets" in API group "" in the namespace "shop"'
    expect(
      notRun(
        check('SEC016', 'Pod', skipped(secrets)),
        check('NET003', 'Ingress', skipped(secrets)),
        check('POD003', 'Pod'),
        check('NET005', 'Ingress'),
        check('SEC041', 'Secret'),
      ),
    ).toEqual(['SEC016', 'NET003', 'SEC041'])
    expect(notRun(check('SEC016', 'Pod', skipped(`${secrets}; pods is forbidden`)), check('POD003', 'Pod'))).toEqual([
      'SEC016',
      'POD003',
    ])
  })

  test('leaves findings of that kind as they are', () => {
    const found = { Total: 1, Items: [{ Message: 'is wrong' }] }
    expect(notRun(check('POD001', 'Pod', skipped('pods is forbidden')), check('POD002', 'Pod', found))).toEqual([
      'POD001',
    ])
  })

  test.each([
    'Get "http://127.0.0.1:1/api?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused',
    'Get "https://10.0.0.1/api/v1/pods": net/http: TLS handshake timeout',
    'the server is currently unable to handle the request',
    'Unauthorized',
  ])('is every kind that nothing shows to have been read, when the API server does not answer: %s', (error) => {
    const found = { Total: 1, Items: [{ Message: 'is wrong' }] }
    expect(
      notRun(
        check('POD001', 'Pod', skipped(error)),
        check('SEC030', 'MutatingWebhookConfiguration, ValidatingWebhookConfiguration'),
        check('CFG004', 'KubernetesResource'),
        check('NODE004', 'Node', found),
        check('SC003', 'Node'),
      ),
    ).toEqual(['POD001', 'SEC030', 'CFG004'])
  })

  test('is none, when a check could not judge what it read', () => {
    expect(
      notRun(check('NET019', 'Service', skipped('unsupported operator "exists"')), check('NET001', 'Service')),
    ).toEqual(['NET019'])
  })
})

describe('a report of another scanner', () => {
  const operator = (kind: string, report: object) =>
    JSON.stringify({ apiVersion: 'aquasecurity.github.io/v1alpha1', kind, metadata: { name: 'web' }, report })
  const sarif = (run: object) =>
    JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'lint' } }, ...run }] })
  const result = { ruleId: 'A', message: { text: 'is wrong' } }
  const polaris = (check: object) =>
    JSON.stringify({
      PolarisOutputVersion: '1.0',
      Results: [{ Name: 'web', Kind: 'Pod', Results: { cpu: { ID: 'cpu', ...check } }, PodResult: null }],
    })
  const trivy = (result: object, more = {}) =>
    JSON.stringify({
      ArtifactName: 'shop:1',
      ArtifactType: 'container_image',
      ...more,
      Results: [{ Target: 'shop', ...result }],
    })
  const popeye = (section: object) => JSON.stringify({ popeye: { sections: [{ linter: 'pods', ...section }] } })

  test.each<[string, string, string?]>([
    [
      'Trivy operator: a count against an empty list',
      operator('VulnerabilityReport', { summary: { criticalCount: 4 }, vulnerabilities: [] }),
    ],
    ['Trivy operator: neither list nor summary', operator('ConfigAuditReport', {})],
    [
      'Trivy operator: success in another word',
      operator('ConfigAuditReport', { summary: {}, checks: [{ checkID: 'A', success: 'yes' }] }),
    ],
    ['Trivy: 30 failures and no rows', trivy({ MisconfSummary: { Successes: 1, Failures: 30 } })],
    [
      'Trivy: a status of no vocabulary',
      trivy({ Misconfigurations: [{ ID: 'A', Status: 'MAYBE', Severity: 'HIGH' }] }),
    ],
    ['Trivy: rows under another name', trivy({ vulnerabilities: [{ VulnerabilityID: 'CVE-1', Severity: 'HIGH' }] })],
    [
      'Trivy: an error that is no text',
      JSON.stringify({ ClusterName: 'x', Resources: [{ Kind: 'Pod', Name: 'a', Error: true }] }),
    ],
    ['Popeye: a tally against its issues', popeye({ tally: { ok: 0, error: 3 }, issues: {} })],
    [
      'Popeye: errors of its own',
      JSON.stringify({ popeye: { sections: [{ linter: 'pods', tally: { ok: 1 }, issues: {} }], errors: [{}] } }),
    ],
    [
      'Kubescape: failed resources without results',
      JSON.stringify({
        summaryDetails: {
          controls: {
            'C-1': {
              controlID: 'C-1',
              scoreFactor: 9,
              statusInfo: { status: 'failed' },
              ResourceCounters: { failedResources: 3 },
            },
          },
        },
        results: [],
      }),
    ],
    [
      'Kubescape: a status of no vocabulary',
      JSON.stringify({
        summaryDetails: { controls: { 'C-1': { controlID: 'C-1', statusInfo: { status: 'fine' } } } },
        results: [],
      }),
    ],
    ['Polaris: success in another word', polaris({ Success: 'yes', Severity: 'danger' })],
    [
      'kube-bench: a count against its list',
      JSON.stringify({ Controls: [{ tests: [{ fail: 2, results: [{ test_number: '1', status: 'PASS' }] }] }] }),
    ],
    [
      'kube-bench: a status of no vocabulary',
      JSON.stringify({ Controls: [{ tests: [{ results: [{ test_number: '1', status: 'OK' }] }] }] }),
    ],
    [
      'PolicyReport: a summary against its results',
      JSON.stringify({
        apiVersion: 'wgpolicyk8s.io/v1alpha2',
        kind: 'PolicyReport',
        summary: { fail: 4 },
        results: [],
      }),
    ],
    [
      'PolicyReport: a result of no vocabulary',
      JSON.stringify({
        apiVersion: 'wgpolicyk8s.io/v1alpha2',
        kind: 'PolicyReport',
        results: [{ policy: 'a', result: 'ok' }],
      }),
    ],
    ['SARIF: results null', sarif({ results: null })],
    ['SARIF: no results', sarif({})],
    ['SARIF: a run that failed', sarif({ results: [], invocations: [{ executionSuccessful: false }] })],
    [
      'SARIF: an error of the tool',
      sarif({
        results: [],
        invocations: [
          { executionSuccessful: true, toolExecutionNotifications: [{ level: 'error', message: { text: 'x' } }] },
        ],
      }),
    ],
    [
      'SARIF: results in another file',
      sarif({ results: [], externalPropertyFileReferences: { results: [{ location: { uri: 'a' } }] } }),
    ],
    [
      'SARIF: results in the log beside its runs',
      sarif({ results: [] }).replace(
        '{',
        `{"inlineExternalProperties": [{ "results": [${JSON.stringify(result)}] }], `,
      ),
    ],
    ['SARIF: a result that passed as an error', sarif({ results: [{ ...result, kind: 'pass', level: 'error' }] })],
    ['SARIF: a kind of no vocabulary', sarif({ results: [{ ...result, kind: 'fine' }] })],
  ])('is not understood: %s', async (_, report) => {
    const scan = await read(report)
    expect(scan.findings.total).toBe(0)
    expect(scan.checksNotRun).toContainEqual(
      expect.objectContaining({ reason: expect.stringMatching(/not understood: /) }),
    )
  })

  test.each<[string, string, object]>([
    [
      'Trivy operator: a row without an id',
      operator('ConfigAuditReport', {
        summary: { highCount: 1 },
        checks: [{ title: 'Root', severity: 'HIGH', success: false }],
      }),
      { high: 1 },
    ],
    [
      'Trivy operator: the kind in another case',
      operator('vulnerabilityreport', {
        summary: { highCount: 1 },
        vulnerabilities: [{ vulnerabilityID: 'CVE-1', severity: 'HIGH' }],
      }),
      { high: 1 },
    ],
    [
      'Trivy: a status in another case',
      trivy({ Misconfigurations: [{ ID: 'A', Status: 'fail', Severity: 'HIGH' }] }),
      { high: 1 },
    ],
    [
      'Trivy: a row without an id',
      trivy({ Vulnerabilities: [{ PkgName: 'a', Severity: 'CRITICAL' }] }),
      { critical: 1 },
    ],
    [
      'Trivy: an operating system out of support',
      trivy({}, { Metadata: { OS: { Family: 'debian', Name: '9.13', EOSL: true } } }),
      { high: 1 },
    ],
    [
      'Trivy operator: an operating system out of support',
      operator('VulnerabilityReport', {
        os: { family: 'debian', name: '9.13', eosl: true },
        summary: { criticalCount: 0 },
        vulnerabilities: [],
      }),
      { high: 1 },
    ],
    ['Polaris: success as a text', polaris({ Success: 'false', Severity: 'danger' }), { high: 1 }],
    ['Polaris: a severity of no vocabulary', polaris({ Success: false, Severity: 'critical' }), { unknown: 1 }],
    [
      'Popeye: a level of no vocabulary',
      popeye({ issues: { 'shop/web': [{ level: 4, message: 'x' }] } }),
      { unknown: 1 },
    ],
    [
      'Popeye: a level as a number in a text',
      popeye({ issues: { 'shop/web': [{ level: '3', message: '[POP-100] x' }] } }),
      { high: 1 },
    ],
    ['SARIF: a level in another case', sarif({ results: [{ ...result, level: 'Error' }] }), { high: 1 }],
    ['SARIF: a level under another case', sarif({ results: [{ ...result, Level: 'error' }] }), { unknown: 1 }],
    [
      'SARIF: a score with a comma',
      sarif({ results: [{ ...result, properties: { 'security-severity': '9,8' } }] }),
      { unknown: 1 },
    ],
    [
      'PolicyReport: a severity of no vocabulary',
      JSON.stringify({
        apiVersion: 'wgpolicyk8s.io/v1alpha2',
        kind: 'PolicyReport',
        results: [{ policy: 'a', result: 'Fail', severity: 'P1' }],
      }),
      { unknown: 1 },
    ],
  ])('counts findings in every form: %s', async (_, report, counts) => {
    expect((await read(report)).findings).toMatchObject({ total: 1, ...counts })
  })

  test('is refused where something else stands in place of its rows', async () => {
    expect(await readOrRefuse(trivy({ Vulnerabilities: { 0: {} } }))).toBeUndefined()
    expect(await readOrRefuse(sarif({ results: [5] }))).toBeUndefined()
  })

  test('tells what its scanner does not rate from what relt does not know', async () => {
    const unknown = await read(trivy({ Vulnerabilities: [{ VulnerabilityID: 'CVE-1', Severity: 'UNKNOWN' }] }))
    expect(unknown.findings).toMatchObject({ info: 1, unknown: 0 })
    const misspelt = await read(trivy({ Vulnerabilities: [{ VulnerabilityID: 'CVE-1', Severity: 'CRIT' }] }))
    expect(misspelt.findings).toMatchObject({ info: 0, unknown: 1 })
  })
})

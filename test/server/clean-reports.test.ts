import { describe, expect, test } from 'vitest'
import { openHttp } from './http.ts'

const group = 'aquasecurity.github.io/v1alpha1'
const tally = { pass: 0, fail: 0, warn: 0, error: 0, skip: 0 }
const none = { criticalCount: 0, highCount: 0, mediumCount: 0, lowCount: 0 }

const trivy = (more: object) => ({
  SchemaVersion: 2,
  ArtifactName: 'registry.example/shop/web:1.0.0',
  ArtifactType: 'container_image',
  Metadata: { ImageID: 'sha256:1', ImageConfig: { architecture: 'amd64' } },
  ...more,
})
/** The same image, built again. */
const mended = (more: object) =>
  trivy({ Metadata: { ImageID: 'sha256:2', ImageConfig: { architecture: 'amd64' } }, ...more })
const cve = { VulnerabilityID: 'CVE-2026-1', PkgName: 'stdlib', InstalledVersion: '1.0.0', Severity: 'HIGH' }
const ofBinary = { Target: 'web', Class: 'lang-pkgs', Type: 'gobinary', Vulnerabilities: [cve] }

const openReport = (more: object) => ({
  apiVersion: 'openreports.io/v1alpha1',
  kind: 'Report',
  metadata: { name: 'web', namespace: 'shop' },
  source: 'scanner',
  scope: { kind: 'Deployment', name: 'web', namespace: 'shop' },
  ...more,
})
const failed = openReport({
  summary: { ...tally, fail: 1 },
  results: [{ policy: 'limits', rule: 'cpu', result: 'fail', severity: 'high' }],
})

const metadata = { name: 'replicaset-web', namespace: 'shop' }
const checks = [{ checkID: 'KSV014', title: 'Root', severity: 'HIGH', success: false }]
const audited = { metadata, report: { summary: { ...none, highCount: 1 }, checks } }
const clean = { metadata, report: { summary: none, checks: [] } }
const typed = (item: object) => ({ apiVersion: group, kind: 'ConfigAuditReportList', metadata: {}, items: [item] })
const named = (item: object) => ({ apiVersion: group, kind: 'ConfigAuditReport', ...item })

const popeye = (pods: object) => ({
  popeye: {
    score: 90,
    sections: [
      { linter: 'cronjobs', tally: { ok: 0, info: 0, warning: 0, error: 0, score: 0 } },
      { linter: 'pods', ...pods },
      { linter: 'services', tally: { ok: 1, info: 0, warning: 0, error: 0, score: 100 }, issues: { 'shop/web': [] } },
    ],
  },
})

/** What a scanner writes of one thing before it is mended and after. */
const pairs: [title: string, format: string, before: unknown, after: unknown][] = [
  ['Trivy, of an image with nothing to look at', 'trivy', trivy({ Results: [ofBinary] }), mended({})],
  ['Trivy, with results that are null', 'trivy', trivy({ Results: [ofBinary] }), mended({ Results: null })],
  ['Trivy, with an empty list of results', 'trivy', trivy({ Results: [ofBinary] }), mended({ Results: [] })],
  [
    'Trivy, of files',
    'trivy',
    trivy({ ArtifactName: '.', ArtifactType: 'filesystem', Results: [ofBinary] }),
    trivy({ ArtifactName: '.', ArtifactType: 'filesystem' }),
  ],
  ["a list of Trivy's operator, of objects without a kind", 'trivy', typed(audited), typed(clean)],
  ["reports of Trivy's operator in a bare list", 'trivy', [named(audited)], [named(clean)]],
  ["a list of Trivy's operator without a kind", 'trivy', { items: [named(audited)] }, { items: [named(clean)] }],
  ['OpenReports without results', 'policy-report', failed, openReport({ summary: tally })],
  ['OpenReports with an empty list of results', 'policy-report', failed, openReport({ results: [] })],
  ['OpenReports with a scope alone', 'policy-report', failed, openReport({ results: null })],
  [
    'a list of policy reports without results',
    'policy-report',
    { apiVersion: 'v1', kind: 'List', items: [failed] },
    { apiVersion: 'v1', kind: 'List', items: [openReport({ summary: tally })] },
  ],
  [
    'popeye, with a section that has no resources any more',
    'popeye',
    popeye({
      tally: { ok: 0, info: 0, warning: 0, error: 1, score: 0 },
      issues: { 'shop/a': [{ group: '__root__', level: 3, message: '[POP-204] Pod is not ready' }] },
    }),
    popeye({ tally: { ok: 0, info: 0, warning: 0, error: 0, score: 0 } }),
  ],
]

async function open() {
  const { call, signUp, clock } = await openHttp()
  const { headers } = await signUp('ada')
  const upload = async (report: unknown) => {
    clock.now += 3600
    const { status, body } = await call('/cluster-reports', { headers, body: { cluster: { name: 'shop' }, report } })
    expect(status).toBe(201)
    return (await call(`/cluster-reports/${body.run_id}`, { headers })).body
  }
  const compare = async (from: string, to: string) =>
    (await call(`/cluster-reports/compare?from_run_id=${from}&to_run_id=${to}`, { headers })).body
  return { upload, compare }
}

describe.each(pairs)('a clean report: %s', (_, format, before, after) => {
  test('is a run without findings that resolves those of the one before', async () => {
    const { upload, compare } = await open()
    const [first, second] = [await upload(before), await upload(after)]
    expect(first).toMatchObject({ format, is_empty: false, not_run_checks: 0, findings: { total: 1 } })
    expect(second).toMatchObject({
      format,
      is_empty: false,
      not_run_checks: 0,
      findings: { total: 0 },
      score_source: first.score_source,
    })
    expect(await compare(first.run_id, second.run_id)).toMatchObject({
      ...{ resolved_findings_count: 1, new_findings_count: 0, incomparable_findings_count: 0 },
    })
  })
})

const system = { Metadata: { OS: { Family: 'debian', Name: '12' } } }

/** Not what a scanner writes that looked and found nothing. */
const doubtful: [title: string, before: unknown, after: unknown][] = [
  ['results under another name', trivy({ Results: [ofBinary] }), trivy({ results: [ofBinary] })],
  ['a system without results about its packages', trivy({ Results: [ofBinary] }), trivy(system)],
  ['a name without a type', trivy({ Results: [ofBinary] }), { ArtifactName: 'registry.example/shop/web:1.0.0' }],
  ['a Kubernetes list of nothing', [named(audited)], { apiVersion: 'v1', kind: 'List', items: [] }],
  ['a typed list of nothing', typed(audited), { ...typed(audited), items: [] }],
  ['a list of objects without a kind', typed(audited), { apiVersion: 'v1', kind: 'List', items: [clean] }],
  ['a typed list of other objects', typed(audited), { ...typed(clean), items: [{ kind: 'Pod', metadata }] }],
  ['a bare list of nothing', [named(audited)], { items: [] }],
  ['a summary that counts what is not listed', failed, openReport({ summary: { ...tally, fail: 1 } })],
  ['a report about nothing', failed, { ...openReport({}), scope: null }],
]

test.each(doubtful)('what is no clean report resolves nothing: %s', async (_, before, after) => {
  const { upload, compare } = await open()
  const [first, second] = [await upload(before), await upload(after)]
  expect(first).toMatchObject({ is_empty: false, findings: { total: 1 } })
  expect(second.is_empty || second.not_run_checks > 0).toBe(true)
  expect(await compare(first.run_id, second.run_id)).toMatchObject({ resolved_findings_count: 0 })
})

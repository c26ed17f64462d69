import { expect, test } from 'vitest'
import { day, openService } from '../service.ts'

interface Counts {
  new: number
  resolved: number
}

const vulnerability = (id: string) => ({ VulnerabilityID: id, PkgName: 'openssl', Severity: 'CRITICAL', Title: 't' })

const image = (reference: string, ids: string[], { family = 'debian', classes = ['os-pkgs'] } = {}) => ({
  ...{ SchemaVersion: 2, ArtifactName: reference, ArtifactType: 'container_image' },
  Metadata: { OS: { Family: family, Name: '12' }, RepoTags: ['shop/from-archive:1'] },
  Results: classes.map((Class) => ({
    Target: `${reference} (${family} 12)`,
    Class,
    ...(Class === 'os-pkgs' && { Type: family, Vulnerabilities: ids.map(vulnerability) }),
    ...(Class === 'secret' && { Secrets: [{ RuleID: 'aws', Title: 'key', Severity: 'HIGH' }] }),
  })),
})

const folder = (path: string, ids: string[]) => ({
  ...{ SchemaVersion: 2, ArtifactName: path, ArtifactType: 'filesystem' },
  Results: [
    {
      ...{ Target: 'Dockerfile', Class: 'config', Type: 'dockerfile' },
      Misconfigurations: ids.map((ID) => ({
        ID,
        Title: ID,
        Message: `${path} ${ID}`,
        Severity: 'HIGH',
        Status: 'FAIL',
      })),
    },
  ],
})

const sarifRun = (tool: string, ids: string[], more: object = {}) => ({
  tool: { driver: { name: tool } },
  results: ids.map((ruleId) => ({
    ruleId,
    message: { text: ruleId },
    locations: [{ physicalLocation: { artifactLocation: { uri: 'src/a.ts' } } }],
  })),
  ...more,
})
const sarif = (...runs: object[]) => ({ version: '2.1.0', runs })

const popeye = (sections: Record<string, string[]>) => ({
  popeye: {
    ...{ score: Object.values(sections).flat().length > 0 ? 80 : 100, grade: 'B', errors: [] },
    sections: Object.entries(sections).map(([linter, names]) => ({
      linter,
      tally: { ok: 1, info: 0, warning: 0, error: names.length, score: names.length > 0 ? 50 : 100 },
      issues: Object.fromEntries([
        ['shop/well', []],
        ...names.map((name) => [`shop/${name}`, [{ group: '__root__', level: 3, message: '[POP-106] No limits' }]]),
      ]),
    })),
  },
})

const kubescape = (namespaces: string[], includeNamespaces?: string[]) => ({
  metadata: { scanMetadata: { scanningTarget: 0, ...(includeNamespaces && { includeNamespaces }) } },
  summaryDetails: {
    controls: {
      'C-1': {
        ...{ controlID: 'C-1', name: 'c', scoreFactor: 9, statusInfo: { status: 'failed' } },
        ResourceCounters: { passedResources: 0, failedResources: namespaces.length, skippedResources: 0 },
      },
    },
  },
  results: namespaces.map((namespace) => ({
    resourceID: `apps/v1/${namespace}/Deployment/web`,
    controls: [{ controlID: 'C-1', name: 'c', status: { status: 'failed' } }],
  })),
})

const polaris = (namespaces: string[], SourceType = 'Cluster') => ({
  ...{ PolarisOutputVersion: '1.0', AuditTime: '2026-08-01T06:00:00Z', SourceType, SourceName: 'c', DisplayName: 'c' },
  Results: namespaces.map((Namespace) => ({
    ...{ Name: 'web', Namespace, Kind: 'Deployment', PodResult: { Name: '', Results: {}, ContainerResults: [] } },
    Results: { host: { ID: 'host', Message: 'm', Success: false, Severity: 'danger', Category: 'Security' } },
  })),
})

const bench = (types: string[]) => ({
  Controls: types.map((node_type) => ({
    ...{ id: '1', version: 'cis-1.8', node_type, text: 't' },
    tests: [
      {
        ...{ section: '1.1', desc: node_type },
        results: [{ test_number: '1.1.1', test_desc: 'd', status: 'FAIL' }],
      },
    ],
  })),
})

/** Lives of what is scanned: reports in the order of their days, and what the last of them changed; null: nothing before it. */
const lives: [life: string, reports: object[], changed: Counts | null][] = [
  ['another image', [image('shop/a:1', ['CVE-1']), image('shop/b:1', ['CVE-2'])], null],
  [
    'an image after another one',
    [image('shop/a:1', ['CVE-1', 'CVE-3']), image('shop/b:1', ['CVE-2']), image('shop/a:2', ['CVE-3', 'CVE-4'])],
    { new: 1, resolved: 1 },
  ],
  [
    'a tag for each commit',
    [image('shop/a:main-1f2e3d', ['CVE-1']), image('shop/a:main', ['CVE-2'])],
    { new: 1, resolved: 1 },
  ],
  [
    'a digest, and the long name of Docker Hub',
    [image('nginx:1.27', ['CVE-1']), image(`docker.io/library/nginx@sha256:${'0'.repeat(64)}`, [])],
    { new: 0, resolved: 1 },
  ],
  ['an archive of an image', [image('/tmp/1/a.tar', ['CVE-1']), image('/tmp/2/a.tar', [])], { new: 0, resolved: 1 }],
  [
    'another base system of one build',
    [image('shop/a:1', ['CVE-1']), image('shop/a:1', [], { family: 'alpine' })],
    null,
  ],
  [
    'secrets that were not looked for',
    [image('shop/a:1', ['CVE-1'], { classes: ['os-pkgs', 'secret'] }), image('shop/a:2', [])],
    { new: 0, resolved: 1 },
  ],
  ['another folder', [folder('services/a', ['DS1']), folder('services/b', ['DS2'])], null],
  ['the same folder, written otherwise', [folder('./app/', ['DS1']), folder('app', [])], { new: 0, resolved: 1 }],
  ['another tool of SARIF', [sarif(sarifRun('gitleaks', ['k1'])), sarif(sarifRun('semgrep', []))], null],
  [
    'another category of a tool',
    [
      sarif(sarifRun('CodeQL', ['q1'], { automationDetails: { id: 'go/1' } })),
      sarif(sarifRun('CodeQL', [], { automationDetails: { id: 'js/2' } })),
    ],
    null,
  ],
  [
    'the same category in another execution',
    [
      sarif(sarifRun('CodeQL', ['q1'], { automationDetails: { id: 'go/1' } })),
      sarif(sarifRun('CodeQL', [], { automationDetails: { id: 'go/2' } })),
    ],
    { new: 0, resolved: 1 },
  ],
  [
    'two tools in one log, then one of them',
    [sarif(sarifRun('gitleaks', ['k1']), sarifRun('semgrep', ['s1'])), sarif(sarifRun('semgrep', []))],
    { new: 0, resolved: 1 },
  ],
  [
    'one tool, then a second one beside it',
    [sarif(sarifRun('semgrep', ['s1'])), sarif(sarifRun('semgrep', ['s1']), sarifRun('gitleaks', ['k1']))],
    { new: 1, resolved: 0 },
  ],
  [
    'a linter that did not run',
    [popeye({ pods: ['web'], services: ['web'] }), popeye({ services: [] })],
    { new: 0, resolved: 1 },
  ],
  [
    'a linter that runs first',
    [popeye({ services: ['web'] }), popeye({ services: ['web'], pods: ['web'] })],
    { new: 0, resolved: 0 },
  ],
  ['one namespace of Kubescape', [kubescape(['a', 'b']), kubescape(['a'], ['a'])], { new: 0, resolved: 0 }],
  ['all namespaces of Kubescape', [kubescape(['a', 'b']), kubescape(['a'])], { new: 0, resolved: 1 }],
  ['one namespace of Polaris', [polaris(['a', 'b']), polaris(['a'], 'ClusterNamespace')], { new: 0, resolved: 0 }],
  ['all namespaces of Polaris', [polaris(['a', 'b']), polaris(['a'])], { new: 0, resolved: 1 }],
  ['a type of node less', [bench(['master', 'node']), bench(['node'])], { new: 0, resolved: 0 }],
  ['another type of node', [bench(['master']), bench(['node'])], null],
]

test.each(lives)('%s: only what the last scan looked at has changed', async (_, reports, changed) => {
  const { call, upload, clock } = await openService()
  for (const [i, report] of reports.entries()) {
    const finished_at = new Date((clock.now - (reports.length - i) * day) * 1000).toISOString()
    await upload([], { report, body: { cluster: { name: 'c' }, run: { finished_at } } })
  }
  const compared = call('compareReports', { query: { cluster_name: 'c', environment: 'prod' } })
  if (changed === null) await expect(compared).rejects.toMatchObject({ code: 'not_found' })
  else {
    const { new_findings_count, resolved_findings_count, regressed_findings_count } = await compared
    expect({ new: new_findings_count, resolved: resolved_findings_count }).toEqual(changed)
    expect(regressed_findings_count).toBe(0)
  }
})

test('findings of all subjects are open, and each has a row with its name', async () => {
  const { call, upload } = await openService()
  for (const report of [image('shop/a:1', ['CVE-1']), image('shop/b:1', ['CVE-2']), folder('app', ['DS1'])]) {
    await upload([], { report, body: { cluster: { name: 'c' } } })
  }
  const { total } = await call('listFindings', { query: { cluster_name: 'c' } })
  const { items } = await call('listClusters', { query: {} })
  expect(total).toBe(3)
  expect(items[0]!.scanners!.map(({ format, subject }) => [format, subject]).sort()).toEqual([
    ['trivy', 'app'],
    ['trivy', 'shop/a debian'],
    ['trivy', 'shop/b debian'],
  ])
})

test('a late report takes its place among those of its subject', async () => {
  const { call, upload, clock } = await openService()
  const at = (days: number) => ({ finished_at: new Date((clock.now - days * day) * 1000).toISOString() })
  const send = (report: object, days: number) => upload([], { report, body: { cluster: { name: 'c' }, run: at(days) } })
  await send(image('shop/a:1', ['CVE-1']), 5)
  const latest = await send(image('shop/a:3', ['CVE-2']), 1)
  const late = await send(image('shop/a:2', ['CVE-2']), 3)
  await send(image('shop/b:1', ['CVE-9']), 2)
  const compared = await call('compareReports', { query: { to_run_id: latest.run_id } })
  expect([compared.from.run_id, compared.new_findings_count]).toEqual([late.run_id, 0])
})

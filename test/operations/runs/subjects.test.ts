import { expect, test } from 'vitest'
import { ReltError } from '../../../src/errors.ts'
import { invoke } from '../../../src/service/invoke.ts'
import { day, openCatalogService, type TestService } from '../service.ts'

interface Counts {
  new: number
  resolved: number
}

const none: Counts = { new: 0, resolved: 0 }

const vulnerability = (id: string) => ({ VulnerabilityID: id, PkgName: 'openssl', Severity: 'CRITICAL', Title: 't' })

const image = (
  reference: string,
  ids: string[],
  { family = 'debian', classes = ['os-pkgs'], secrets = ['aws'] } = {},
) => ({
  ...{ SchemaVersion: 2, ArtifactName: reference, ArtifactType: 'container_image' },
  Metadata: { OS: { Family: family, Name: '12' }, RepoTags: ['shop/from-archive:1'] },
  Results: classes.map((Class) => ({
    Target: `${reference} (${family} 12)`,
    Class,
    ...(Class === 'os-pkgs' && { Type: family, Vulnerabilities: ids.map(vulnerability) }),
    ...(Class === 'secret' && { Secrets: secrets.map((RuleID) => ({ RuleID, Title: 'key', Severity: 'HIGH' })) }),
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
        ...{
          controlID: 'C-1',
          name: 'c',
          scoreFactor: 9,
          statusInfo: { status: namespaces.length > 0 ? 'failed' : 'passed' },
        },
        ResourceCounters: { passedResources: 1, failedResources: namespaces.length, skippedResources: 0 },
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

const withSecrets = (reference: string, secrets: string[]) =>
  image(reference, ['CVE-1'], { classes: ['os-pkgs', 'secret'], secrets })
const noSecrets = image('shop/a:2', ['CVE-1'])

/** What stands after the last report: checks, each with the number of the report that looked last, if an earlier one did. */
const standing: [life: string, reports: object[], open: string[], changed: Counts][] = [
  ['secrets not looked for', [withSecrets('shop/a:1', ['aws']), noSecrets], ['CVE-1', 'aws of 0'], none],
  [
    'secrets mended meanwhile',
    [withSecrets('shop/a:1', ['aws']), noSecrets, withSecrets('shop/a:3', [])],
    ['CVE-1'],
    { new: 0, resolved: 1 },
  ],
  [
    'secrets found, not looked for, found again',
    [withSecrets('shop/a:1', ['aws']), noSecrets, noSecrets, withSecrets('shop/a:3', ['aws'])],
    ['CVE-1', 'aws'],
    none,
  ],
  [
    'secrets not looked for twice',
    [withSecrets('shop/a:1', ['aws']), noSecrets, image('shop/a:3', [])],
    ['aws of 0'],
    { new: 0, resolved: 1 },
  ],
  [
    'a new secret after a scan without',
    [withSecrets('shop/a:1', ['aws']), noSecrets, withSecrets('shop/a:3', ['aws', 'gcp'])],
    ['CVE-1', 'aws', 'gcp'],
    { new: 1, resolved: 0 },
  ],
  [
    'one of two tools',
    [sarif(sarifRun('gitleaks', ['k1']), sarifRun('semgrep', ['s1'])), sarif(sarifRun('semgrep', []))],
    ['k1 of 0'],
    { new: 0, resolved: 1 },
  ],
  [
    'one of two tools, then both',
    [
      sarif(sarifRun('gitleaks', ['k1']), sarifRun('semgrep', ['s1'])),
      sarif(sarifRun('semgrep', [])),
      sarif(sarifRun('gitleaks', []), sarifRun('semgrep', [])),
    ],
    [],
    { new: 0, resolved: 1 },
  ],
  [
    'a linter that did not run',
    [popeye({ pods: ['web'], services: ['web'] }), popeye({ services: [] })],
    ['POP-106 of 0'],
    { new: 0, resolved: 1 },
  ],
  ['one namespace of Polaris', [polaris(['a', 'b']), polaris(['a'], 'ClusterNamespace')], ['host', 'host of 0'], none],
  ['one namespace of Kubescape', [kubescape(['a', 'b']), kubescape([], ['a'])], ['C-1 of 0'], { new: 0, resolved: 1 }],
  ['a type of node less', [bench(['master', 'node']), bench(['node'])], ['1.1.1', '1.1.1 of 0'], none],
]

async function sendAll({ upload, clock }: TestService, reports: object[]) {
  const at = (i: number) => new Date((clock.now - (reports.length - i) * day) * 1000).toISOString()
  const times = reports.map((_, i) => at(i).slice(0, 19).replace('T', ' '))
  for (const [i, report] of reports.entries()) {
    await upload([], { report, body: { cluster: { name: 'c' }, run: { finished_at: at(i) } } })
  }
  return times
}

const toOpen = (items: { check_id: string; not_looked_at_since?: string | undefined }[], times: string[]) =>
  items
    .map(({ check_id, not_looked_at_since: since }) => (since ? `${check_id} of ${times.indexOf(since)}` : check_id))
    .sort()

test.each(standing)('%s: what was not looked at stays open', async (_, reports, open, { new: came, resolved }) => {
  const service = await openCatalogService()
  const times = await sendAll(service, reports)
  const { items } = await service.call('listFindings', { query: { cluster_name: 'c' } })
  expect(toOpen(items, times)).toEqual(open)
  const compared = await service.call('compareReports', { query: { cluster_name: 'c' } })
  expect({ new: compared.new_findings_count, resolved: compared.resolved_findings_count }).toEqual({
    new: came,
    resolved,
  })
  const { items: clusters } = await service.call('listClusters', { query: {} })
  expect(clusters[0]!.latest_run!.findings.total).toBe(open.length)
})

test.each(lives)('%s: only what the last scan looked at has changed', async (_, reports, changed) => {
  const { call, upload, clock } = await openCatalogService()
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

test('what a scan is about, and looked at, may be said with it', async () => {
  const { call, upload, clock } = await openCatalogService()
  const send = (report: object, days: number, more: object) => {
    const run = { finished_at: new Date((clock.now - days * day) * 1000).toISOString() }
    return upload([], { report, body: { cluster: { name: 'c' }, run, ...more } })
  }
  await send(image('shop/a:1', ['CVE-1'], { classes: ['os-pkgs', 'secret'] }), 3, { subject: 'web' })
  await send(folder('/src', ['DS1']), 2, { subject: 'files' })
  await send(image('shop/b:1', []), 1, { subject: 'web', looked_at: ['vuln', 'secret'] })
  expect(await call('compareReports', { query: { cluster_name: 'c' } })).toMatchObject({
    resolved_findings_count: 2,
    not_looked_at_findings_count: 0,
  })
  const { items } = await call('listClusters', { query: {} })
  expect(items[0]!.scanners!.map(({ subject }) => subject).sort()).toEqual(['files', 'web'])
})

test('a deleted report no longer stands, and what it did not look at goes back to the one before', async () => {
  const service = await openCatalogService()
  await sendAll(service, [withSecrets('shop/a:1', ['aws']), withSecrets('shop/a:2', ['gcp']), noSecrets])
  const open = async () =>
    (await service.call('listFindings', { query: { cluster_name: 'c' } })).items.map(({ check_id }) => check_id)
  expect(await open()).toEqual(['CVE-1', 'gcp'])
  const { items } = await service.call('listReports', { query: { cluster_name: 'c' } })
  await service.call('deleteReport', { params: { run_id: items[1]!.run_id } })
  expect(await open()).toEqual(['CVE-1', 'aws'])
})

test('a finding of a deleted report is new when it comes, and not regressed', async () => {
  const service = await openCatalogService()
  const { call, upload } = service
  await sendAll(service, [withSecrets('shop/a:1', ['aws']), noSecrets])
  const { items } = await call('listReports', { query: { cluster_name: 'c' } })
  await call('deleteReport', { params: { run_id: items[1]!.run_id } })
  await upload([], { report: withSecrets('shop/a:3', []), body: { cluster: { name: 'c' } } })
  await upload([], { report: withSecrets('shop/a:4', ['aws']), body: { cluster: { name: 'c' } } })
  expect(await call('compareReports', { query: { cluster_name: 'c' } })).toMatchObject({
    new_findings_count: 1,
    regressed_findings_count: 0,
  })
})

test('parts are stated for reports of Trivy alone: they would exclude all parts of others', async () => {
  const { call, upload } = await openCatalogService()
  const send = (report: object) => upload([], { report, body: { cluster: { name: 'c' }, looked_at: ['vuln'] } })
  expect((await send(popeye({ pods: ['web'] }))).warnings).toEqual([
    'Ignored: looked_at, which is for reports of trivy, not popeye.',
  ])
  await send(popeye({ pods: [] }))
  expect(await call('compareReports', { query: { cluster_name: 'c' } })).toMatchObject({ resolved_findings_count: 1 })
  await send(popeye({ pods: ['db'] }))
  expect(await call('compareReports', { query: { cluster_name: 'c' } })).toMatchObject({ new_findings_count: 1 })
})

test('a late report stands in the place of the one before it', async () => {
  const service = await openCatalogService()
  const { upload, clock } = service
  const send = (report: object, days: number) => {
    const finished_at = new Date((clock.now - days * day) * 1000).toISOString()
    return upload([], { report, body: { cluster: { name: 'c' }, run: { finished_at } } })
  }
  await send(withSecrets('shop/a:1', ['aws']), 5)
  await send(noSecrets, 1)
  await send(withSecrets('shop/a:2', ['gcp']), 3)
  const { items } = await service.call('listFindings', { query: { cluster_name: 'c' } })
  expect(items.map(({ check_id }) => check_id)).toEqual(['CVE-1', 'gcp'])
})

test('a run that is taken in ends what it did not read, and one taken in until a day does not', async () => {
  const service = await openCatalogService()
  const { call, upload } = service
  const row = { check: 'SEC001', severity: 'high', resource: 'pod/a', message: 'm' } as const
  await upload([
    { ...row, check: 'SEC001' },
    { ...row, check: 'SEC002' },
  ])
  const { run_id } = await upload([row])
  const open = async () => (await call('listFindings', { query: {} })).items.map(({ check_id }) => check_id)
  expect(await open()).toEqual(['SEC001', 'SEC002'])
  const act = { run_id, reason: 'Renamed' }
  await call('takeInRun', { body: { ...act, dry_run: true } })
  expect(await call('takeInRun', { body: { ...act, until: '2099-01-01' } })).toMatchObject({ drops: [] })
  expect(await open()).toEqual(['SEC001', 'SEC002'])
  expect(await call('takeInRun', { body: act })).toMatchObject({ drops: ['SEC002'] })
  expect(await open()).toEqual(['SEC001'])
  await upload([row])
  expect(await open()).toEqual(['SEC001'])
})

test('findings of all subjects are open, and each has a row with its name', async () => {
  const { call, upload } = await openCatalogService()
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

test('trends are told without the key of the store, and then without names', async () => {
  const service = await openCatalogService()
  await sendAll(service, [image('shop/a:1', ['CVE-1'])])
  const asked = { user: service.user, query: { cluster_name: 'c' } }
  expect(await service.call('reportTrends', asked)).toMatchObject({ subject: 'shop/a debian' })
  const vault = async () => {
    throw new ReltError('key_unavailable', 'gone')
  }
  const { db, plans, clock } = service
  const told = await invoke({ db, plans, vault, now: () => clock.now }, 'reportTrends', asked)
  expect(told).not.toHaveProperty('subject')
  expect(told).toMatchObject({ points: [{ score: expect.any(Number) }] })
})

test('a late report takes its place among those of its subject', async () => {
  const { call, upload, clock } = await openCatalogService()
  const at = (days: number) => ({ finished_at: new Date((clock.now - days * day) * 1000).toISOString() })
  const send = (report: object, days: number) => upload([], { report, body: { cluster: { name: 'c' }, run: at(days) } })
  await send(image('shop/a:1', ['CVE-1']), 5)
  const latest = await send(image('shop/a:3', ['CVE-2']), 1)
  const late = await send(image('shop/a:2', ['CVE-2']), 3)
  await send(image('shop/b:1', ['CVE-9']), 2)
  const compared = await call('compareReports', { query: { to_run_id: latest.run_id } })
  expect([compared.from.run_id, compared.new_findings_count]).toEqual([late.run_id, 0])
})

test('a run says what it looked at', async () => {
  const { call, upload } = await openCatalogService()
  const ledgerOf = async (report: object, more: object = {}) => {
    const { run_id } = await upload([], { report, body: { cluster: { name: 'c' }, ...more } })
    const { scanner, subjects } = await call('getReport', { params: { run_id } })
    return { scanner, subjects }
  }
  const all = { read: 'all', left_out: [], forbidden: [], failed: [] }
  expect(await ledgerOf(image('shop/a:1', ['CVE-1']), { looked_at: ['secret'] })).toEqual({
    scanner: 'trivy',
    subjects: [
      {
        ...{ kind: 'image', name: 'shop/a', platform: 'debian', places: all },
        parts: [
          { name: 'Vulnerability', state: 'read' },
          { name: 'End of support', state: 'read' },
          { name: 'Secret', state: 'read' },
        ],
      },
    ],
  })
  const { run_id } = await upload([{ check: 'SEC001' }], {
    passed: ['SEC002'],
    excludedNamespaces: ['kube-system'],
    body: { cluster: { name: 'c' } },
  })
  expect((await call('getReport', { params: { run_id } })).subjects).toEqual([
    {
      ...{ kind: 'cluster', name: '', places: { ...all, left_out: ['kube-system'] } },
      parts: ['SEC001', 'SEC002'].map((name) => ({ name, state: 'read' })),
    },
  ])
})

test('a run says why it did not look at a part', async () => {
  const { call, upload } = await openCatalogService()
  const check = (ID: string, error?: string) => ({
    [ID]: {
      ID,
      Name: ID,
      Severity: 'high',
      Category: 'c',
      Total: 0,
      Items: [],
      ...(error !== undefined && { Error: error }),
    },
  })
  const report = {
    metadata: { clusterName: 'c', score: 90, excludedChecks: ['SEC014'] },
    checks: {
      ...check('SEC001'),
      ...check('RBAC001', 'roles.rbac.authorization.k8s.io is forbidden: User "ci" cannot list resource "roles"'),
      ...check('PROM006', 'Insufficient Prometheus history'),
      ...check('WRK001', 'Script block execution failed: no such host'),
    },
  }
  const { run_id } = await upload([], { report, body: {} })
  const { subjects } = await call('getReport', { params: { run_id } })
  expect(Object.fromEntries(subjects![0]!.parts.map(({ name, state }) => [name, state]))).toEqual({
    SEC001: 'read',
    RBAC001: 'forbidden',
    PROM006: 'not_asked',
    WRK001: 'failed',
    SEC014: 'left_out',
  })
})

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ReltError } from '../../src/errors.ts'
import { KubeCluster } from '../../src/kube/cluster.ts'
import { recordLength } from '../../src/reports/finding-records.ts'
import { readScan } from '../../src/reports/formats/index.ts'
import { collectReports } from '../../src/scan/collect-reports.ts'
import { InventoryBuilder } from '../../src/scan/inventory-builder.ts'
import type { ReportSource } from '../../src/scan/report-source.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import {
  kubescapeResources,
  laterPolicyResources,
  openReports,
  policyResources,
  toKey,
  trivyResources,
} from '../helpers/kubernetes/cluster-state.ts'
import { makePrograms } from '../helpers/programs.ts'
import { fixture } from '../reports/formats/fixture.ts'
import { deployment, pod, writeCluster } from './cluster.ts'

/** Parsed. */
type Json = ReturnType<typeof JSON.parse>

const now = Date.parse('2026-11-22T12:00:00Z') / 1000
const trivyGroup = 'aquasecurity.github.io'
const kubescapeGroup = 'spdx.softwarecomposition.kubescape.io'
const trivyItems: Item[] = JSON.parse(fixture('trivy-operator')).items

interface Item {
  kind: string
  metadata: Record<string, unknown>
}

const ofKind = (kind: string) => trivyItems.filter((item) => item.kind === kind)

/** A cluster with Trivy's operator. */
const trivyCluster = (lists: Record<string, unknown[]> = {}) =>
  Object.fromEntries(
    Object.entries({
      vulnerabilityreports: ofKind('VulnerabilityReport'),
      configauditreports: ofKind('ConfigAuditReport'),
      exposedsecretreports: [],
      rbacassessmentreports: [],
      infraassessmentreports: [],
      clusterrbacassessmentreports: [],
      clusterconfigauditreports: [],
      clusterinfraassessmentreports: [],
      clustervulnerabilityreports: [],
      clustercompliancereports: [],
      ...lists,
    }).map(([name, items]) => [`${name}.${trivyGroup}`, items]),
  )

interface Cluster {
  lists?: Record<string, unknown[]>
  state?: Parameters<typeof writeCluster>[2]
  /** What runs; undefined: it could not be read. */
  objects?: unknown[] | undefined
}

const web = [
  deployment('web', ['nginx:1.27.3']),
  pod('web-65cc8855c-ghk9m', ['nginx:1.27.3'], { deployment: 'web', containers: ['web'] }),
]

function runningOf(objects: unknown[]) {
  const builder = new InventoryBuilder()
  for (const object of objects) builder.add(object)
  builder.finish()
  return builder.running
}

function open({ lists = {}, state = {}, ...rest }: Cluster) {
  const { env, requests } = makePrograms(temporaryFolder(), [])
  writeCluster(join(env.HOME!, 'cluster'), lists, state)
  const objects = 'objects' in rest ? rest.objects : web
  const running = objects && runningOf(objects)
  const collect = (source: ReportSource, context?: string) =>
    collectReports(new KubeCluster({ env, context }), { source, running, now: () => now })
  return { collect, requests }
}

async function toError(work: Promise<unknown>): Promise<ReltError> {
  const error = await work.catch((error: unknown) => error)
  expect(error).toBeInstanceOf(ReltError)
  return error as ReltError
}

const notRunOf = async (report: Buffer) => (await readScan(report)).checksNotRun.map(({ id }) => id)

describe('trivy-operator', () => {
  test('reads all kinds into one list', async () => {
    const nothing = { summary: { criticalCount: 0, highCount: 0, mediumCount: 0, lowCount: 0 } }
    const secrets = [
      {
        apiVersion: `${trivyGroup}/v1alpha1`,
        kind: 'ExposedSecretReport',
        metadata: ofKind('VulnerabilityReport')[0]!.metadata,
        report: nothing,
      },
    ]
    const rbac = [{ apiVersion: `${trivyGroup}/v1alpha1`, kind: 'RbacAssessmentReport', metadata: {}, report: nothing }]
    const { collect } = open({
      lists: trivyCluster({ exposedsecretreports: secrets, rbacassessmentreports: rbac }),
      state: { context: 'admin@prod' },
    })
    const { report, count, warnings } = await collect('trivy-operator', 'admin@prod')
    expect({ count, warnings }).toEqual({ count: 4, warnings: [] })
    expect(await readScan(report)).toMatchObject({
      format: 'trivy',
      generatedAt: now,
      findings: { total: 3 },
      checksNotRun: [],
      scope: { excludedNamespaces: [] },
    })
  })

  test('reports a kind that may not be read, and one without reports', async () => {
    const lists = trivyCluster()
    delete lists[`configauditreports.${trivyGroup}`]
    const { report, warnings } = await open({ lists, state: { resources: trivyResources } }).collect('trivy-operator')
    expect(warnings).toEqual([
      expect.stringMatching(/^The run has no complete ConfigAuditReport data: .*is forbidden/),
      'The run has no complete ExposedSecretReport, RbacAssessmentReport data: The operator has no report of this kind yet.',
    ])
    expect(await notRunOf(report)).toEqual(['ConfigAuditReport', 'ExposedSecretReport', 'RbacAssessmentReport'])
  })

  test('a kind of the cluster that older versions do not have is no gap', async () => {
    const lists = trivyCluster()
    const missing = `clustervulnerabilityreports.${trivyGroup}`
    delete lists[missing]
    const { collect, requests } = open({ lists })
    const { report } = await collect('trivy-operator')
    expect(await notRunOf(report)).toEqual(['ExposedSecretReport', 'RbacAssessmentReport'])
    // Whether a kind is installed is known without asking for it.
    expect(requests().filter((line) => /^[45]/.test(line))).toEqual([])
  })

  test('reports namespaces with workloads and without one of the reports', async () => {
    const other = ofKind('ConfigAuditReport').map((item) => ({
      ...item,
      metadata: { ...item.metadata, namespace: 'ops' },
    }))
    const lists = trivyCluster({ configauditreports: [...ofKind('ConfigAuditReport'), ...other] })
    const objects = [...web, ...['ops', 'new'].map((namespace) => pod('solo', ['x:1'], { namespace }))]
    const { report, warnings } = await open({ lists, objects }).collect('trivy-operator')
    expect((await readScan(report)).scope.unreportedNamespaces).toEqual(['new', 'ops'])
    expect(warnings).toContain(
      'trivy-operator has not reported these namespaces completely: new, ops. Findings of workloads without a report are not compared.',
    )
  })

  test('lists the workloads without a report', async () => {
    const objects = [...web, pod('solo', ['x:1'])]
    const { report, warnings } = await open({ lists: trivyCluster(), objects }).collect('trivy-operator')
    expect(warnings).toContain(
      '1 of 2 workloads have no complete VulnerabilityReport data, so their findings are not compared: shop/pod/solo',
    )
    const { checksNotRun } = await readScan(report)
    expect(checksNotRun).toContainEqual(
      expect.objectContaining({
        id: 'workloads without VulnerabilityReport',
        reason: '1 of 2 workloads lack one: shop/pod/solo',
      }),
    )
  })

  describe('containers', () => {
    const toReports = (kind: string, list: string, containers: Record<string, string>) =>
      Object.entries(containers).map(([container, image]) => {
        const of = { kind: 'Pod', name: 'duo', namespace: 'shop' }
        const labels = Object.entries(of).map(([key, value]) => [`trivy-operator.resource.${key}`, value])
        return {
          kind,
          metadata: {
            name: `duo-${container}`,
            namespace: 'shop',
            labels: { ...Object.fromEntries(labels), 'trivy-operator.container.name': container },
          },
          report: { artifact: { repository: image, tag: '1' }, summary: { criticalCount: 0 }, [list]: [] },
        }
      })
    const gapsFor = async (lists: Record<string, unknown[]>, objects: unknown[]) => {
      const { report } = await open({ lists: trivyCluster({ configauditreports: [], ...lists }), objects }).collect(
        'trivy-operator',
      )
      const { checksNotRun } = await readScan(report)
      return checksNotRun.flatMap(({ id, reason }) => (id.startsWith('workloads') ? [`${id}: ${reason}`] : []))
    }
    const vulnerabilities = (containers: Record<string, string>) => ({
      vulnerabilityreports: toReports('VulnerabilityReport', 'vulnerabilities', containers),
    })
    const duo = pod('duo', ['app:1', 'proxy:1'], { containers: ['app', 'proxy'] })

    test('names a container without a report', async () => {
      expect(await gapsFor(vulnerabilities({ app: 'app', proxy: 'proxy' }), [duo])).toEqual([])
      expect(await gapsFor(vulnerabilities({ app: 'app' }), [duo])).toEqual([
        'workloads without VulnerabilityReport: 1 of 1 workloads lack one: shop/pod/duo (container proxy)',
      ])
      expect(await gapsFor(vulnerabilities({ '': 'app' }), [duo])).toEqual([])
    })

    test('expects no report of a container that the cluster added to a pod', async () => {
      const added = pod('web-65cc8855c-ghk9m', ['nginx:1', 'proxy:1'], {
        deployment: 'web',
        containers: ['web', 'proxy'],
      })
      const spec = { template: { spec: { containers: [{ name: 'web', image: 'nginx:1' }] } } }
      const owner = { kind: 'ReplicaSet', metadata: { name: 'web-65cc8855c', namespace: 'shop' }, spec }
      const lists = { vulnerabilityreports: ofKind('VulnerabilityReport') }
      expect(await gapsFor(lists, [deployment('web', ['nginx:1']), owner, added])).toEqual([])
      expect(await gapsFor(lists, [deployment('web', ['nginx:1']), added])).toHaveLength(1)
    })

    test('expects reports of containers of initialization once there is one', async () => {
      const starting = (name: string) => {
        const made = pod(name, ['app:1'], { containers: ['app'] })
        return { ...made, spec: { ...made.spec, initContainers: [{ name: 'init', image: 'init:1' }] } }
      }
      const objects = [starting('duo'), starting('solo')]
      const ofSolo = vulnerabilities({ app: 'app' }).vulnerabilityreports.map((report) => ({
        ...report,
        metadata: {
          ...report.metadata,
          labels: { ...report.metadata.labels, 'trivy-operator.resource.name': 'solo' },
        },
      }))
      const reports = (containers: Record<string, string>) => ({
        vulnerabilityreports: [...vulnerabilities(containers).vulnerabilityreports, ...ofSolo],
      })
      expect(await gapsFor(reports({ app: 'app' }), objects)).toEqual([])
      expect(await gapsFor(reports({ app: 'app', init: 'init' }), objects)).toEqual([
        'workloads without VulnerabilityReport: 1 of 2 workloads lack one: shop/pod/solo (container init)',
      ])
    })

    test('a report of exposed secrets stands for all containers of its image', async () => {
      const lists = (secrets: Record<string, string>, images: Record<string, string>) => ({
        ...vulnerabilities(images),
        exposedsecretreports: toReports('ExposedSecretReport', 'secrets', secrets),
      })
      expect(await gapsFor(lists({ app: 'app' }, { app: 'app', proxy: 'app' }), [duo])).toEqual([])
      expect(await gapsFor(lists({ app: 'app' }, { app: 'app', proxy: 'proxy' }), [duo])).toEqual([
        'workloads without ExposedSecretReport: 1 of 1 workloads lack one: shop/pod/duo (container proxy)',
      ])
    })
  })

  test('coverage that cannot be checked is a check that did not run', async () => {
    const { report, warnings } = await open({ lists: trivyCluster(), objects: undefined }).collect('trivy-operator')
    expect(warnings).toContainEqual(expect.stringMatching(/^relt cannot check whether each workload is reported/))
    expect(await notRunOf(report)).toContain('coverage')
  })

  test('reports of a ReplicaSet without pods and those that live for no time are left out', async () => {
    const [report] = ofKind('VulnerabilityReport')
    const of = (name: string, annotations = {}) => ({
      ...report!,
      metadata: {
        ...report!.metadata,
        name: `replicaset-${name}-web`,
        annotations,
        labels: { ...(report!.metadata.labels as object), 'trivy-operator.resource.name': name },
      },
    })
    const ttl = (time: string) => ({ 'trivy-operator.aquasecurity.github.io/report-ttl': time })
    const vulnerabilityreports = [
      of('web-65cc8855c', ttl('24h0m0s')),
      of('web-5d4f7c9b8'),
      of('web-65cc8855c', ttl('0s')),
    ]
    const { report: read, count } = await open({ lists: trivyCluster({ vulnerabilityreports }) }).collect(
      'trivy-operator',
    )
    expect(count).toBe(2)
    expect(read.toString()).not.toContain('web-5d4f7c9b8')
    // Without knowing what runs, none of them is known to be of the past.
    const unknown = await open({ lists: trivyCluster({ vulnerabilityreports }), objects: undefined }).collect(
      'trivy-operator',
    )
    expect(unknown.count).toBe(3)
  })

  test('reports of one image that say the same are one, with its workloads', async () => {
    const [report] = ofKind('VulnerabilityReport')
    const of = (name: string, namespace: string) => ({
      ...report!,
      metadata: {
        name: `statefulset-${name}`,
        namespace,
        labels: {
          'trivy-operator.resource.kind': 'StatefulSet',
          'trivy-operator.resource.name': name,
          'trivy-operator.resource.namespace': namespace,
          'trivy-operator.container.name': 'web',
        },
      },
    })
    const set = (name: string, namespace: string) =>
      pod(`${name}-0`, ['nginx:1.27.3'], { namespace, owner: { kind: 'StatefulSet', name }, containers: ['web'] })
    const lists = trivyCluster({ vulnerabilityreports: [of('a', 'shop'), of('b', 'shop'), of('c', 'ops')] })
    const objects = [set('a', 'shop'), set('b', 'shop'), set('c', 'ops'), ...web]
    const { report: read, count } = await open({ lists, objects }).collect('trivy-operator')
    expect(count).toBe(4)
    const scan = await readScan(read)
    // Trivy counts a finding in each workload.
    expect(scan.findings).toMatchObject({ total: 7, high: 4 })
    expect(scan.index.records.length / recordLength).toBe(3)
    expect(scan.index.places).toMatchObject({
      places: ['shop\nstatefulset/a\nweb', 'shop\nstatefulset/b\nweb', 'ops\nstatefulset/c\nweb'],
      sets: [[0, 1, 2]],
    })
  })

  test('keeps what the reader reads, and no more', async () => {
    const ballast = { description: 'x'.repeat(5000), links: ['https://a.example'], cvss: {}, publishedDate: '2026' }
    const items = trivyItems.map((item) => {
      const { report } = item as unknown as { report: Record<string, Record<string, unknown>[]> }
      const rows = Object.entries(report).map(([key, rows]) => [
        key,
        Array.isArray(rows) ? rows.map((row) => ({ ...row, ...ballast })) : rows,
      ])
      return { ...item, report: Object.fromEntries(rows) }
    })
    const lists = trivyCluster({
      vulnerabilityreports: items.filter(({ kind }) => kind === 'VulnerabilityReport'),
      configauditreports: items.filter(({ kind }) => kind === 'ConfigAuditReport'),
    })
    const { report } = await open({ lists }).collect('trivy-operator')
    expect(report.toString()).not.toContain('xxx')
    const [kept, whole] = [await readScan(report), await readScan(Buffer.from(fixture('trivy-operator')))]
    expect(kept.findings).toEqual(whole.findings)
    expect(kept.guidance.checks).toEqual(whole.guidance.checks)
  })

  test.each<[string, object]>([
    ['a count against an empty list', { summary: { criticalCount: 4 }, vulnerabilities: [] }],
    ['neither list nor summary', {}],
    [
      'rows under another name',
      { summary: { highCount: 0 }, Findings: [{ vulnerabilityID: 'CVE-1', severity: 'HIGH' }] },
    ],
  ])('what is not understood stays so when it is collected: %s', async (_, report) => {
    const faulty = ofKind('VulnerabilityReport').map((item) => ({ ...item, report }))
    const collected = await open({ lists: trivyCluster({ vulnerabilityreports: faulty }) }).collect('trivy-operator')
    expect((await readScan(collected.report)).checksNotRun).toContainEqual(
      expect.objectContaining({ reason: expect.stringMatching(/not understood: /) }),
    )
  })

  test('reports the age of old reports', async () => {
    const old = ofKind('VulnerabilityReport').map((item) => ({
      ...item,
      metadata: { ...item.metadata, creationTimestamp: '2026-11-21T00:00:00Z' },
      report: { updateTimestamp: '2026-11-01T08:00:00Z' },
    }))
    const { warnings } = await open({ lists: trivyCluster({ vulnerabilityreports: old }) }).collect('trivy-operator')
    expect(warnings).toContain('1 reports are older than 7 days. The oldest is of 2026-11-01.')
  })

  test('leaves the bookkeeping of the API server out', async () => {
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': 'x' }
    const items = ofKind('VulnerabilityReport').map((item) => ({
      ...item,
      metadata: { ...item.metadata, managedFields: [{ manager: 'trivy-operator' }], annotations },
    }))
    const { report } = await open({ lists: trivyCluster({ vulnerabilityreports: items }) }).collect('trivy-operator')
    expect(report.toString()).not.toMatch(/managedFields|last-applied/)
  })

  test('an operator without a report fails the collection', async () => {
    const lists = trivyCluster({ vulnerabilityreports: [], configauditreports: [] })
    const error = await toError(open({ lists }).collect('trivy-operator'))
    expect(error).toMatchObject({ code: 'scan_failed', message: 'trivy-operator has no reports yet.' })
  })

  test('a cluster without the operator fails the collection', async () => {
    const error = await toError(open({}).collect('trivy-operator'))
    expect(error).toMatchObject({ code: 'scan_failed', message: 'The cluster has no reports of trivy-operator.' })
    expect(error.output).toHaveLength(1)
  })

  test('a user who may not read anything fails the collection', async () => {
    const error = await toError(open({ state: { resources: trivyResources } }).collect('trivy-operator'))
    expect(error).toMatchObject({
      code: 'scan_failed',
      message: 'The reports of trivy-operator could not be read.',
      output: [
        expect.stringMatching(/^VulnerabilityReport, ConfigAuditReport, .*ClusterComplianceReport: .*forbidden/),
      ],
    })
  })
})

describe('kubescape', () => {
  const objects = [pod('web-65cc8855c-ghk9m', ['nginx:1.27.3'], { deployment: 'web', containers: ['nginx'] })]
  const openKubescape = (cluster: Cluster) => open({ objects, ...cluster })
  const [scan, summary] = JSON.parse(fixture('kubescape-operator')).items
  const scans = `workloadconfigurationscans.${kubescapeGroup}`
  const summaries = `vulnerabilitymanifestsummaries.${kubescapeGroup}`

  const many = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ ...scan, metadata: { ...scan.metadata, name: `scan-${i}` } }))

  test('asks for whole reports, page by page, and knows what it asked for', async () => {
    const { collect, requests } = openKubescape({ lists: { [scans]: many(200), [summaries]: [summary] } })
    const { report, count, warnings } = await collect('kubescape')
    expect({ count, warnings }).toEqual({ count: 201, warnings: [] })
    // The API server says no kind in a typed list.
    expect(await readScan(report)).toMatchObject({
      format: 'kubescape',
      findings: { total: 204 },
      checksNotRun: [{}],
    })
    const pages = requests().filter((line) => line.includes('workloadconfigurationscans?'))
    expect(pages).toHaveLength(3)
    for (const line of pages) {
      expect(line).toMatch(
        /^200 GET \/apis\/[a-z.]+\/v1beta1\/workloadconfigurationscans\?resourceVersion=fullSpec&limit=100/,
      )
    }
  })

  test('leaves a kind out of which a page is missing', async () => {
    const { report, count, warnings } = await openKubescape({
      lists: { [scans]: many(150), [summaries]: [summary] },
      state: { forgets: { [scans]: 3 } },
    }).collect('kubescape')
    expect(count).toBe(1)
    expect(warnings[0]).toMatch(/^The run has no complete WorkloadConfigurationScan data: .* too old/)
    expect(await notRunOf(report)).toContain('WorkloadConfigurationScan')
  })

  test('reads a list again that the API server forgets on the way', async () => {
    const state = { forgets: { [scans]: 2 } }
    const { count, warnings } = await openKubescape({
      lists: { [scans]: many(150), [summaries]: [summary] },
      state,
    }).collect('kubescape')
    expect({ count, warnings }).toEqual({ count: 151, warnings: [] })
  })

  const manifests = `vulnerabilitymanifests.${kubescapeGroup}`
  const [named, unused] = JSON.parse(fixture('kubescape-manifest')).items
  const raw = ({ spec: { severities: _, ...spec }, workloads: __, ...item }: Json, name: string) => ({
    ...item,
    metadata: { ...item.metadata, name },
    spec: {
      ...spec,
      payload: {
        matches: spec.payload.matches.map((match: Json) => ({
          ...match,
          relatedVulnerabilities: [{ id: 'CVE-1' }],
          matchDetails: [{ type: 'exact-direct-match' }],
        })),
        distro: { name: 'debian' },
      },
    },
  })
  const counted = { ...summary, spec: { ...summary.spec, severities: named.spec.severities } }
  const kubescapeLists = { [scans]: [scan], [summaries]: [counted] }

  test('names vulnerabilities where the manifest of a summary can be read', async () => {
    const { collect, requests } = openKubescape({
      lists: { ...kubescapeLists, [manifests]: [raw(named, 'x'), raw(unused, 'of-no-workload')] },
    })
    const { report, count, warnings } = await collect('kubescape')
    expect({ count, warnings }).toEqual({ count: 3, warnings: [] })
    const { items } = JSON.parse(report.toString())
    expect(items.map(({ kind }: { kind: string }) => kind)).toEqual([
      'WorkloadConfigurationScan',
      'VulnerabilityManifest',
    ])
    expect(items[1]).toMatchObject({
      spec: { severities: named.spec.severities },
      workloads: [{ namespace: 'shop', resource: 'deployment/web', container: 'nginx' }],
    })
    expect(JSON.stringify(items[1])).not.toMatch(/relatedVulnerabilities|matchDetails|distro/)
    expect(await readScan(report)).toMatchObject({ vulnerabilityScan: true, findings: { critical: 2 } })
    expect(requests().filter((line) => line.includes('vulnerabilitymanifests?'))).toEqual([
      expect.stringContaining('resourceVersion=fullSpec&limit=5'),
    ])
  })

  test('counts vulnerabilities where the manifest is not there, and says where it may not be read', async () => {
    const lists = { ...kubescapeLists, [manifests]: [raw(unused, 'another')] }
    const toKinds = (report: Buffer) => JSON.parse(report.toString()).items.map(({ kind }: { kind: string }) => kind)
    const counts = ['WorkloadConfigurationScan', 'VulnerabilityManifestSummary']
    const missing = await openKubescape({ lists }).collect('kubescape')
    expect(toKinds(missing.report)).toEqual(counts)
    const refused = await openKubescape({
      lists: kubescapeLists,
      state: { resources: kubescapeResources },
    }).collect('kubescape')
    expect(toKinds(refused.report)).toEqual(counts)
    expect(refused.warnings).toEqual([
      expect.stringMatching(/^The run has no complete VulnerabilityManifest data: .*forbidden/),
    ])
    expect(await notRunOf(refused.report)).toContain('VulnerabilityManifest')
  })

  test('an API server of its own that is down fails the collection', async () => {
    const state = { down: [kubescapeGroup] }
    const error = await toError(
      openKubescape({ lists: { [scans]: [scan], [summaries]: [summary] }, state }).collect('kubescape'),
    )
    expect(error.output).toContainEqual(expect.stringMatching(/^WorkloadConfigurationScan, .* answers 503/))
  })
})

describe('policy-reports', () => {
  const items: Item[] = JSON.parse(fixture('policy-report')).items
  const only = (kind: string) => items.filter((item) => item.kind === kind)

  test('either API group is enough', async () => {
    const lists = {
      'policyreports.wgpolicyk8s.io': only('PolicyReport'),
      'clusterpolicyreports.wgpolicyk8s.io': only('ClusterPolicyReport'),
    }
    const { report, count, warnings } = await open({ lists }).collect('policy-reports')
    expect({ count, warnings }).toEqual({ count: 3, warnings: [] })
    expect(await notRunOf(report)).toEqual(['verify-images/signature', 'restrict-seccomp/seccomp'])
  })

  test('the later name of the group has the same reports', async () => {
    const later = (kind: string) => only(kind).map((item) => ({ ...item, apiVersion: 'reports.x-k8s.io/v1beta2' }))
    const lists = {
      'policyreports.reports.x-k8s.io': later('PolicyReport'),
      'clusterpolicyreports.reports.x-k8s.io': later('ClusterPolicyReport'),
    }
    const { report, count, warnings } = await open({ lists, state: { resources: laterPolicyResources } }).collect(
      'policy-reports',
    )
    expect({ count, warnings }).toEqual({ count: 3, warnings: [] })
    const earlier = await open({
      lists: {
        'policyreports.wgpolicyk8s.io': only('PolicyReport'),
        'clusterpolicyreports.wgpolicyk8s.io': only('ClusterPolicyReport'),
      },
    }).collect('policy-reports')
    const [a, b] = [await readScan(report), await readScan(earlier.report)]
    expect(a.findings).toEqual(b.findings)
    expect(a.guidance.checks).toEqual(b.guidance.checks)
  })

  test('reports of one thing in two API groups are one, and both say what only one has', async () => {
    const failing = (rule: string) => ({ policy: 'limits', rule, result: 'fail', severity: 'high' })
    const about = { kind: 'Deployment', namespace: 'shop', name: 'web' }
    const report = (results: object[]) => ({ metadata: { name: 'a', namespace: 'shop' }, scope: about, results })
    const resources = [...policyResources, ...openReports]
    const lists = {
      'policyreports.wgpolicyk8s.io': [{ kind: 'PolicyReport', ...report([failing('cpu'), failing('cpu')]) }],
      'reports.openreports.io': [{ kind: 'Report', ...report([failing('cpu'), failing('memory')]) }],
      'clusterpolicyreports.wgpolicyk8s.io': [],
      'clusterreports.openreports.io': [],
    }
    const { report: text } = await open({ lists, state: { resources } }).collect('policy-reports')
    // What one group has twice, as for two containers, counts twice.
    expect((await readScan(text)).findings.high).toBe(3)
  })

  test('a report about a ReplicaSet that was replaced is left out', async () => {
    const replicaSet = (name: string, owner?: string) => ({
      kind: 'ReplicaSet',
      metadata: {
        name,
        namespace: 'shop',
        ownerReferences: owner ? [{ kind: 'Deployment', name: owner, controller: true }] : [],
      },
    })
    const report = (name: string) => ({
      kind: 'PolicyReport',
      metadata: { name, namespace: 'shop' },
      scope: { kind: 'ReplicaSet', namespace: 'shop', name },
      results: [{ policy: 'limits', rule: 'cpu', result: 'fail', severity: 'high' }],
    })
    const names = ['web-65cc8855c', 'web-7d9f8b6c4', 'alone']
    const objects = [...web, replicaSet(names[0]!, 'web'), replicaSet(names[1]!, 'web'), replicaSet(names[2]!)]
    const lists = { 'policyreports.wgpolicyk8s.io': names.map(report), 'clusterpolicyreports.wgpolicyk8s.io': [] }
    const { count } = await open({ lists, objects }).collect('policy-reports')
    expect(count).toBe(2)
    // Without all that runs, nobody knows which one was replaced.
    expect((await open({ lists, objects: undefined }).collect('policy-reports')).count).toBe(3)
  })

  test('a kind that may not be read is a gap', async () => {
    const lists = { 'policyreports.wgpolicyk8s.io': only('PolicyReport'), 'reports.openreports.io': only('Report') }
    const state = { resources: [...policyResources, ...openReports] }
    const { report } = await open({ lists, state }).collect('policy-reports')
    expect(await notRunOf(report)).toContain('ClusterPolicyReport')
  })
})

test.each([
  ['kubescape', 'kubescape-operator'],
  ['policy-reports', 'policy-report'],
] as const)('reports of %s read the same without what is not read', async (source, name) => {
  const items: Item[] = JSON.parse(fixture(name)).items
  const resources = [...kubescapeResources, ...policyResources, ...openReports]
  const lists = Object.fromEntries(
    resources.map((resource) => [toKey(resource), items.filter(({ kind }) => kind === resource.kind)]),
  )
  const { report } = await open({ lists }).collect(source)
  const [kept, whole] = [await readScan(report), await readScan(Buffer.from(fixture(name)))]
  expect(kept.findings).toEqual(whole.findings)
  expect(kept.guidance.checks).toEqual(whole.guidance.checks)
  expect(kept.index.records.length).toBe(whole.index.records.length)
  expect(kept.checksNotRun.filter(({ id }) => whole.checksNotRun.some((each) => each.id === id))).toEqual(
    whole.checksNotRun,
  )
})

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ReltError } from '../../src/errors.ts'
import { readScan } from '../../src/reports/formats/index.ts'
import { collectReports } from '../../src/scan/collect-reports.ts'
import type { ReportSource } from '../../src/scan/report-source.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { makePrograms } from '../helpers/programs.ts'
import { fixture } from '../reports/formats/fixture.ts'
import { writeCluster } from './cluster.ts'

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
      ...lists,
    }).map(([name, items]) => [`${name}.${trivyGroup}`, items]),
  )

interface Cluster {
  lists?: Record<string, unknown[]>
  /** Whole answers. */
  answers?: Record<string, unknown>
  notInstalled?: string[]
  namespaces?: string[] | undefined
}

function open({ lists = {}, answers = {}, notInstalled = [], ...rest }: Cluster) {
  const home = temporaryFolder()
  const { env } = makePrograms(home, ['kubectl'])
  writeCluster(env.FAKE_CLUSTER!, lists)
  for (const [name, body] of Object.entries(answers)) {
    writeFileSync(join(env.FAKE_CLUSTER!, `${name}.json`), JSON.stringify(body))
  }
  writeFileSync(join(env.FAKE_CLUSTER!, 'not-installed'), notInstalled.map((name) => `${name}\n`).join(''))
  const namespaces = 'namespaces' in rest ? rest.namespaces : ['shop']
  const collect = (source: ReportSource, context?: string) =>
    collectReports({ source, env, context, signal: new AbortController().signal, namespaces, now: () => now })
  return { collect, calls: () => readFileSync(join(env.FAKE_STATE!, 'kubectl'), 'utf8') }
}

async function errorOf(work: Promise<unknown>): Promise<ReltError> {
  const error = await work.catch((error: unknown) => error)
  expect(error).toBeInstanceOf(ReltError)
  return error as ReltError
}

const notRunOf = async (report: Buffer) => (await readScan(report, 'auto')).checksNotRun.map(({ id }) => id)

describe('trivy-operator', () => {
  test('reads all kinds into one list', async () => {
    const nothing = { summary: { criticalCount: 0, highCount: 0, mediumCount: 0, lowCount: 0 } }
    const secrets = [
      { apiVersion: `${trivyGroup}/v1alpha1`, kind: 'ExposedSecretReport', metadata: {}, report: nothing },
    ]
    const rbac = [{ apiVersion: `${trivyGroup}/v1alpha1`, kind: 'RbacAssessmentReport', metadata: {}, report: nothing }]
    const { collect, calls } = open({
      lists: trivyCluster({ exposedsecretreports: secrets, rbacassessmentreports: rbac }),
    })
    const { report, count, warnings } = await collect('trivy-operator', 'admin@prod')
    expect({ count, warnings }).toEqual({ count: 4, warnings: [] })
    expect(await readScan(report, 'auto')).toMatchObject({
      format: 'trivy',
      generatedAt: now,
      findings: { total: 3 },
      checksNotRun: [],
      scope: { excludedNamespaces: [] },
    })
    for (const line of calls().trimEnd().split('\n')) {
      expect(line).toMatch(
        /^get \w+\.aquasecurity\.github\.io --all-namespaces --output=json --chunk-size=500 --context=admin@prod$/,
      )
    }
  })

  test('reports a kind that may not be read, and one without reports', async () => {
    const lists = trivyCluster()
    delete lists[`configauditreports.${trivyGroup}`]
    const { report, warnings } = await open({ lists }).collect('trivy-operator')
    expect(warnings).toEqual([
      expect.stringMatching(/^The run has no complete ConfigAuditReport data: .*is forbidden/),
      'The run has no complete ExposedSecretReport data: The operator has no report of this kind yet.',
      'The run has no complete RbacAssessmentReport data: The operator has no report of this kind yet.',
    ])
    expect(await notRunOf(report)).toEqual(['ConfigAuditReport', 'ExposedSecretReport', 'RbacAssessmentReport'])
  })

  test('a kind of the cluster that older versions do not have is no gap', async () => {
    const lists = trivyCluster()
    const missing = `clustervulnerabilityreports.${trivyGroup}`
    delete lists[missing]
    const { report } = await open({ lists, notInstalled: [missing] }).collect('trivy-operator')
    expect(await notRunOf(report)).toEqual(['ExposedSecretReport', 'RbacAssessmentReport'])
  })

  test('reports namespaces with workloads and without one of the reports', async () => {
    const other = ofKind('ConfigAuditReport').map((item) => ({
      ...item,
      metadata: { ...item.metadata, namespace: 'ops' },
    }))
    const lists = trivyCluster({ configauditreports: [...ofKind('ConfigAuditReport'), ...other] })
    const { report, warnings } = await open({ lists, namespaces: ['shop', 'ops', 'new'] }).collect('trivy-operator')
    expect((await readScan(report, 'auto')).scope.unreportedNamespaces).toEqual(['new', 'ops'])
    expect(warnings).toContain(
      'trivy-operator has not reported these namespaces completely: new, ops. Their findings are not compared.',
    )
  })

  test('says that it does not know whether each namespace is reported', async () => {
    const { warnings } = await open({ lists: trivyCluster(), namespaces: undefined }).collect('trivy-operator')
    expect(warnings).toContainEqual(expect.stringMatching(/^relt cannot check whether each namespace is reported/))
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
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': 'x', kept: 'y' }
    const items = ofKind('VulnerabilityReport').map((item) => ({
      ...item,
      metadata: { ...item.metadata, managedFields: [{ manager: 'trivy-operator' }], annotations },
    }))
    const { report } = await open({ lists: trivyCluster({ vulnerabilityreports: items }) }).collect('trivy-operator')
    expect(report.toString()).not.toMatch(/managedFields|last-applied/)
    expect(report.toString()).toContain('"kept":"y"')
  })

  test('an operator without a report fails the collection', async () => {
    const lists = trivyCluster({ vulnerabilityreports: [], configauditreports: [] })
    const error = await errorOf(open({ lists }).collect('trivy-operator'))
    expect(error).toMatchObject({ code: 'scan_failed', message: 'trivy-operator has no reports yet.' })
  })

  test('a cluster without the operator fails the collection', async () => {
    const notInstalled = Object.keys(trivyCluster())
    const error = await errorOf(open({ notInstalled }).collect('trivy-operator'))
    expect(error).toMatchObject({ code: 'scan_failed', message: 'The cluster has no reports of trivy-operator.' })
  })

  test('a user who may not read anything fails the collection', async () => {
    const error = await errorOf(open({}).collect('trivy-operator'))
    expect(error).toMatchObject({
      code: 'scan_failed',
      message: 'kubectl could not read the reports of trivy-operator.',
    })
  })
})

describe('kubescape', () => {
  const [scan, summary] = JSON.parse(fixture('kubescape-operator')).items
  const scans = `workloadconfigurationscans.${kubescapeGroup}`
  const summaries = `vulnerabilitymanifestsummaries.${kubescapeGroup}`

  test('asks for whole reports, page by page', async () => {
    const { collect, calls } = open({
      answers: {
        [scans]: { metadata: { continue: '500' }, items: [scan] },
        [`${scans}.500`]: {
          metadata: {},
          items: [{ ...scan, metadata: { ...scan.metadata, labels: {}, name: 'bus' } }],
        },
        [summaries]: { metadata: {}, items: [summary] },
      },
    })
    const { report, count, warnings } = await collect('kubescape')
    expect({ count, warnings }).toEqual({ count: 3, warnings: [] })
    expect(await readScan(report, 'auto')).toMatchObject({ format: 'kubescape', findings: { total: 6 } })
    expect(calls()).toContain(
      `get --raw /apis/${kubescapeGroup}/v1beta1/workloadconfigurationscans?resourceVersion=fullSpec&limit=500\n`,
    )
  })

  test('leaves a kind out of which a page is missing', async () => {
    const { report, count, warnings } = await open({
      answers: { [scans]: { metadata: { continue: '500' }, items: [scan] }, [summaries]: { items: [summary] } },
    }).collect('kubescape')
    expect(count).toBe(1)
    expect(warnings[0]).toMatch(/^The run has no complete WorkloadConfigurationScan data: .*forbidden/)
    expect(await notRunOf(report)).toEqual(['WorkloadConfigurationScan'])
  })

  test('does not follow a page that repeats itself', async () => {
    const { warnings } = await open({
      answers: {
        [scans]: { metadata: { continue: '5' }, items: [scan] },
        [`${scans}.5`]: { metadata: { continue: '5' }, items: [scan] },
        [summaries]: { items: [summary] },
      },
    }).collect('kubescape')
    expect(warnings[0]).toContain('The API server repeats a page of the list.')
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
    const notInstalled = ['reports.openreports.io', 'clusterreports.openreports.io']
    const { report, count, warnings } = await open({ lists, notInstalled }).collect('policy-reports')
    expect({ count, warnings }).toEqual({ count: 3, warnings: [] })
    expect(await notRunOf(report)).toEqual(['verify-images/signature', 'restrict-seccomp/seccomp'])
  })

  test('a kind that may not be read is a gap', async () => {
    const lists = { 'policyreports.wgpolicyk8s.io': only('PolicyReport'), 'reports.openreports.io': only('Report') }
    const { report } = await open({ lists, notInstalled: ['clusterreports.openreports.io'] }).collect('policy-reports')
    expect(await notRunOf(report)).toContain('ClusterPolicyReport')
  })
})

test('kubectl is needed', async () => {
  const home = temporaryFolder()
  mkdirSync(join(home, 'bin'))
  const options = {
    env: { PATH: join(home, 'bin') },
    signal: new AbortController().signal,
    namespaces: [],
    now: () => now,
  }
  expect(await errorOf(collectReports({ source: 'kubescape', ...options }))).toMatchObject({ code: 'usage' })
})

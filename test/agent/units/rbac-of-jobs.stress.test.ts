import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { collect } from '../../../src/agent/sources/collect.ts'
import { profile } from '../../../src/agent/sources/profile.ts'
import type { RbacRule } from '../../../src/agent/units/rbac.ts'
import type { ReportSource } from '../../../src/scan/report-source.ts'
import { runCli, temporaryFolder } from '../../helpers/cli.ts'
import {
  kubescapeResources,
  laterPolicyResources,
  openReports,
  policyResources,
  type Resource,
  toKey,
  trivyResources,
  wantedResources,
} from '../../helpers/kubernetes/cluster-state.ts'
import { makePrograms } from '../../helpers/programs.ts'
import { exampleFile, readReportFile } from '../../helpers/report.ts'
import { deployment, pod, wholeCluster, writeCluster } from '../../scan/cluster.ts'

const installed: Record<ReportSource, Resource[]> = {
  'trivy-operator': trivyResources,
  kubescape: kubescapeResources,
  'policy-reports': [...policyResources, ...laterPolicyResources, ...openReports],
}
const ofWeb = {
  namespace: 'shop',
  name: 'web',
  labels: {
    ...{ 'trivy-operator.resource.kind': 'ReplicaSet', 'trivy-operator.resource.name': 'web-65cc8855c' },
    'kubescape.io/workload-kind': 'Deployment',
    'kubescape.io/workload-name': 'web',
  },
}
const result = { policy: 'limits', rule: 'cpu', result: 'pass' }

/** A report of each kind in which all is well. */
const toReport = ({ kind }: Resource) => ({
  kind,
  metadata: ofWeb,
  report: kind.endsWith('VulnerabilityReport')
    ? { artifact: { repository: 'nginx', tag: '1.27.3' }, summary: { criticalCount: 0 }, vulnerabilities: [] }
    : kind === 'ExposedSecretReport'
      ? { artifact: { repository: 'nginx', tag: '1.27.3' }, summary: { criticalCount: 0 }, secrets: [] }
      : { checks: [{ checkID: 'KSV1', severity: 'LOW', success: true }] },
  ...(kind === 'ClusterComplianceReport' && {
    status: {
      summaryReport: { id: 'cis', controlCheck: [{ id: '1.1', name: 'Limits', severity: 'LOW', totalFail: 0 }] },
    },
  }),
  spec:
    kind === 'VulnerabilityManifestSummary'
      ? { severities: Object.fromEntries(['critical', 'high', 'medium', 'low'].map((name) => [name, { all: 0 }])) }
      : { controls: { C1: { controlID: 'C1', name: 'C1', status: { status: 'passed' } } } },
  scope: { kind: 'Deployment', name: 'web', namespace: 'shop' },
  results: [result],
})

const web = {
  deployments: [deployment('web', ['nginx:1.27.3'])],
  pods: [pod('web-65cc8855c-ghk9m', ['nginx:1.27.3'], { deployment: 'web', containers: ['web'] })],
}

/** A cluster with the reports of an operator, and an account with these rules. */
function open(source: ReportSource | undefined, rules: RbacRule[], more: Resource[] = []) {
  const home = temporaryFolder()
  const { metadata, checks } = readReportFile(exampleFile(1))
  const report = join(home, 'scanned.json')
  writeFileSync(report, JSON.stringify({ metadata, checks }))
  const programs = makePrograms(home, ['kubebuddy'], { FAKE_REPORT: report })
  const resources = [...(source ? installed[source] : []), ...more]
  const lists = Object.fromEntries(
    resources.map((resource) => [toKey(resource), more.includes(resource) ? [] : [toReport(resource)]]),
  )
  writeCluster(join(home, 'cluster'), { ...wholeCluster(web), ...lists }, { resources, rules })
  const relt = (argv: string) => runCli(argv.split(' '), { home, env: programs.env })
  return { relt, requests: programs.requests }
}

const gate = ' --gate --fail-on findings>=critical'
const toCommand = (source: ReportSource | undefined) =>
  source ? `scan collect --from ${source} --cluster blue --json` : 'scan run --json'

/** What git wants decides no finding. */
const ofGit = /^apiextensions\.k8s\.io$|^argoproj\.io$|toolkit\.fluxcd\.io$|^helm\.cattle\.io$/

const jobs: (ReportSource | undefined)[] = [undefined, 'trivy-operator', 'kubescape', 'policy-reports']
const toName = (source: ReportSource | undefined) => source ?? 'a profile'

describe.each(jobs.map((source) => [toName(source), source] as const))('a job of %s', (_, source) => {
  const rules = source ? collect.access(source) : profile.access('prod')

  test('is refused nothing, and passes a gate', async () => {
    const { relt, requests } = open(source, rules)
    const { code } = await relt(`${toCommand(source)}${source ? gate : ''}`)
    expect(code).toBe(0)
    expect(requests().length).toBeGreaterThan(5)
    expect(requests().filter((line) => !line.startsWith('20'))).toEqual([])
  })

  test('reads what git wants, and says what of it the role lacks', async () => {
    const { relt, requests } = open(source, rules, wantedResources)
    await relt(toCommand(source))
    expect(requests().filter((line) => line.startsWith('403'))).toEqual([])
    const lacking = open(
      source,
      rules.filter(({ apiGroups: [group = ''] }) => !ofGit.test(group)),
      wantedResources,
    )
    const { stderr } = await lacking.relt(toCommand(source))
    for (const { plural, group } of wantedResources) expect(stderr).toContain(`${plural}.${group}`)
    expect(lacking.requests().filter((line) => line.startsWith('403'))).toEqual([])
  })

  // The scanner itself reports what it may not read; here are the kinds that relt asks for.
  const asked = rules.filter(
    ({ apiGroups: [group = ''] }) => (source && !ofGit.test(group)) || ['', 'apps', 'batch'].includes(group),
  )

  test.each(asked.map((rule) => [rule.apiGroups[0] || 'core', rule] as const))(
    'says that the rule for %s is missing, and passes no gate',
    async (_, missing) => {
      const { relt } = open(
        source,
        rules.filter((rule) => rule !== missing),
      )
      const { code, stderr } = await relt(`${toCommand(source)}${source ? gate : ''}`)
      expect(stderr).toMatch(/forbidden/i)
      if (source) expect(code).not.toBe(0)
      else {
        const { coverage } = JSON.parse((await relt('reports freshness --json')).stdout)
        expect(coverage.gaps).toEqual([expect.stringMatching(/^The inventory has no .*forbidden/i)])
      }
    },
  )
})

import { describe, expect, test } from 'vitest'
import { isEmpty } from '../../../src/reports/refuse-empty-report.ts'
import { type CleanReport, cleanReports, toFormat } from './clean-reports.ts'
import { readOrRefuse } from './fixture.ts'

const names = Object.keys(cleanReports) as CleanReport[]

/** The report with another value at a place, `a.0.b`. */
function changed(name: CleanReport, path: string, value: unknown): string {
  const document = structuredClone<unknown>(cleanReports[name])
  const keys = path.split('.')
  const parent = keys.slice(0, -1).reduce((node, key) => (node as Record<string, unknown>)[key], document)
  Object.assign(parent as object, { [keys.at(-1)!]: value })
  return JSON.stringify(document)
}

async function outcomeFor(report: string): Promise<'refused' | 'not understood' | 'failed' | 'passed'> {
  const scan = await readOrRefuse(report)
  if (!scan || isEmpty(scan)) return 'refused'
  if (scan.findings.total > 0) return 'failed'
  return scan.checksNotRun.length > 0 ? 'not understood' : 'passed'
}

test.each(names)('a clean report of %s has passed', async (name) => {
  const scan = await readOrRefuse(JSON.stringify(cleanReports[name]))
  expect(scan).toMatchObject({ format: toFormat(name), findings: { total: 0 }, checksNotRun: [] })
})

const section = 'popeye.sections.0'
const control = 'summaryDetails.controls.C-1'
const framework = 'summaryDetails.frameworks.0'
const workload = 'Results.0.PodResult.Results.hostIPCSet'
const group = 'Controls.0.tests.0'
const misconfiguration = 'Resources.0.Results.0.Misconfigurations.0'

const contradictions: [CleanReport, path: string, value: unknown][] = [
  ['kubebuddy', 'metadata.error', 'forbidden'],
  ['kubebuddy', 'metadata.Score', 20],
  ['kubebuddy', 'metadata.partial', true],
  ['kubebuddy', 'failedChecks', 3],
  ['kubebuddy', 'skipped', ['SEC002']],
  ['kubebuddy', 'Checks', { SEC002: { ID: 'SEC002', Total: 3 } }],
  ['kubebuddy', 'metrics', { more: [{ Namespace: 'shop', Resource: 'pod/web', Message: 'is wrong' }] }],
  ['kubebuddy', 'checks.SEC001.SuppressedTotal', 5],
  ['kubebuddy', 'checks.SEC001.SuppressedTotal', '5'],
  ['kubebuddy', 'checks.SEC001.Status', 'FAIL'],
  ['trivy image', 'Metadata.OS.eosl', true],
  ['trivy image', 'Metadata.os', { EOSL: true }],
  ['trivy image', 'Metadata.OS.EOSL', true],
  ['trivy image', 'Errors', ['database is too old']],
  ['trivy image', 'Status', 'failed'],
  ['trivy image', 'results', [{ Target: 'a', Vulnerabilities: [{ VulnerabilityID: 'CVE-2026-1' }] }]],
  ['trivy image', 'Results.0.vulnerabilities', [{ VulnerabilityID: 'CVE-2026-1' }]],
  ['trivy image', 'Results.0.VulnerabilityCount', 4],
  ['trivy image', 'Results.0.Error', 'out of memory'],
  ['trivy image', 'Metadata.ImageConfig', { more: [{ VulnerabilityID: 'CVE-2026-1', PkgName: 'openssl' }] }],
  ['trivy k8s', 'Resources.0.Error', 'out of memory'],
  ['trivy k8s', 'Resources.0.Failed', true],
  ['trivy k8s', 'Resources.0.Results.0.MisconfSummary.Failures', 30],
  ['trivy k8s', 'Resources.0.Results.0.MisconfSummary.Failures', '30'],
  ['trivy k8s', 'Resources.0.Results.0.MisconfSummary.Failures', 'many'],
  ['trivy k8s', 'Resources.0.Results.0.MisconfSummary.Successes', 0],
  ['trivy k8s', 'Resources.0.Results.0.misconfSummary', { Failures: 30 }],
  ['trivy k8s', `${misconfiguration}.Status`, 'FAIL'],
  ['trivy k8s', `${misconfiguration}.Error`, 'could not evaluate'],
  ['trivy operator', 'report.summary.criticalCount', 4],
  ['trivy operator', 'report.summary.lowCount', 1],
  ['trivy operator', 'report.Checks', [{ checkID: 'KSV001', success: false }]],
  ['trivy operator', 'report.error', 'timeout'],
  ['trivy operator', 'report.checks.0.success', 'unknown'],
  ['trivy operator', 'report.checks.0.error', 'could not evaluate'],
  ['kubescape', `${framework}.status`, 'failed'],
  ['kubescape', `${framework}.status`, 'error'],
  ['kubescape', `${framework}.controls.C-1.status`, 'failed'],
  ['kubescape', `${framework}.controls.C-2`, { controlID: 'C-2', status: 'failed' }],
  ['kubescape', `${framework}.complianceScore`, 12],
  ['kubescape', `${framework}.score`, 60],
  ['kubescape', `${framework}.ResourceCounters`, { failedResources: 2 }],
  ['kubescape', `${framework}.error`, 'not evaluated'],
  ['kubescape', 'summaryDetails.status', 'failed'],
  ['kubescape', 'summaryDetails.status', 'unknown'],
  ['kubescape', 'summaryDetails.complianceScore', 20],
  ['kubescape', 'summaryDetails.score', 80],
  ['kubescape', 'summaryDetails.controlsSeverityCounters.highSeverity', 1],
  ['kubescape', 'summaryDetails.resourcesSeverityCounters.highSeverity', 1],
  ['kubescape', 'summaryDetails.severityCounters', { highSeverity: 1 }],
  ['kubescape', 'summaryDetails.ResourceCounters.failedResources', 1],
  ['kubescape', 'summaryDetails.vulnerabilities.CVEs', [{ id: 'CVE-2026-1', severity: 'High' }]],
  ['kubescape', 'summaryDetails.vulnerabilities.mapsSeverityToSummary', { High: { numberOfCVEs: 3 } }],
  ['kubescape', `${control}.status`, 'failed'],
  ['kubescape', `${control}.statusInfo.status`, 'failed'],
  ['kubescape', `${control}.complianceScore`, 40],
  ['kubescape', `${control}.score`, 40],
  ['kubescape', `${control}.ResourceCounters.failedResources`, 2],
  ['kubescape', `${control}.errors`, ['not evaluated']],
  ['kubescape', 'results.0.controls.0.rules.0.status', 'failed'],
  ['kubescape', 'results.0.controls.0.error', 'not evaluated'],
  ['kubescape', 'scanCoverage', { degraded: true, coverageScore: 60 }],
  [
    'kubescape',
    'scanCoverage',
    { degraded: true, failedGVRPulls: [{ gvr: 'apps/v1/deployments', error: 'forbidden' }] },
  ],
  ['kubescape', 'scanCoverage', { notEvaluatedControls: [{ controlID: 'C-1', reason: 'timeout' }] }],
  ['kubescape', 'errors', ['forbidden']],
  ['kubescape operator', 'spec.controls.C-1.status.status', 'failed'],
  ['kubescape operator', 'spec.controls.C-1.rules', [{ name: 'r', status: 'failed' }]],
  ['kubescape operator', 'spec.controls.C-1.error', 'not evaluated'],
  ['popeye', 'popeye.score', 20],
  ['popeye', `${section}.tally.score`, 20],
  ['popeye', `${section}.tally.error`, 3],
  ['popeye', `${section}.tally.warning`, '3'],
  ['popeye', `${section}.tally.error`, 'many'],
  ['popeye', `${section}.tally.Error`, 3],
  ['popeye', `${section}.tally.fatal_errors`, 3],
  ['popeye', `${section}.error`, 'forbidden'],
  ['popeye', `${section}.Issues`, { 'shop/web': [{ level: 3, message: 'is wrong' }] }],
  ['popeye', `${section}.issues.shop/cart.0.level`, 4],
  ['popeye', `${section}.issues.shop/cart.0.error`, 'forbidden'],
  ['popeye', 'popeye.errors', [{}]],
  ['popeye', 'popeye.Errors', ['forbidden']],
  ['popeye', 'Sections', [{ linter: 'nodes', tally: { error: 2 } }]],
  ['polaris', 'Score', 20],
  ['polaris', `${workload}.Success`, 'no'],
  ['polaris', `${workload}.success`, false],
  ['polaris', `${workload}.Error`, 'not evaluated'],
  ['polaris', 'Results.0.Errors', ['not evaluated']],
  ['polaris', 'Results.0.PodResult.containerResults', [{ Results: { a: { ID: 'a', Success: false } } }]],
  ['polaris', 'Errors', ['forbidden']],
  ['polaris', 'ClusterInfo', { more: [{ ID: 'a', Success: false }] }],
  ['kube-bench', `${group}.fail`, 1],
  ['kube-bench', `${group}.warn`, 1],
  ['kube-bench', `${group}.pass`, 0],
  ['kube-bench', `${group}.fail`, 'one'],
  ['kube-bench', `${group}.error`, 'audit failed'],
  ['kube-bench', `${group}.results.0.status`, 'FAIL'],
  ['kube-bench', `${group}.results.0.Status`, 'FAIL'],
  ['kube-bench', `${group}.results.0.error`, 'audit failed'],
  ['kube-bench', 'Controls.0.total_fail', 1],
  ['kube-bench', 'Controls.0.total_warn', 1],
  ['kube-bench', 'Totals.total_fail', 7],
  ['kube-bench', 'Totals.total_warn', 7],
  ['kube-bench', 'totals', { total_fail: 7 }],
  ['kube-bench', 'Errors', ['audit failed']],
  ['sarif', 'runs.0.invocations.0.exitCode', 2],
  ['sarif', 'runs.0.invocations.0.exitCode', 1],
  ['sarif', 'runs.0.invocations.0.exitCode', '2'],
  ['sarif', 'runs.0.invocations.0.exitSignalName', 'SIGKILL'],
  ['sarif', 'runs.0.invocations.0.exitSignalNumber', 9],
  ['sarif', 'runs.0.invocations.0.processStartFailureMessage', 'not found'],
  ['sarif', 'runs.0.invocations.0.executionSuccessful', false],
  ['sarif', 'runs.0.invocations.0.executionSuccessful', 'false'],
  ['sarif', 'runs.0.invocations.0.ExecutionSuccessful', false],
  ['sarif', 'runs.0.invocations.0.error', 'forbidden'],
  ['sarif', 'runs.0.results.0.level', 'error'],
  ['sarif', 'runs.0.results.0.Kind', 'fail'],
  ['sarif', 'runs.0.Results', [{ ruleId: 'R1', level: 'error' }]],
  ['sarif', 'runs.0.errors', ['forbidden']],
  ['sarif', 'runs.0.properties', { more: [{ ruleId: 'R1', level: 'error' }] }],
  ['sarif', 'results', [{ ruleId: 'R1', level: 'error' }]],
  ['policy-report', 'summary.fail', 3],
  ['policy-report', 'summary.error', 1],
  ['policy-report', 'summary.pass', 0],
  ['policy-report', 'summary.Fail', 3],
  ['policy-report', 'summary.failed', 3],
  ['policy-report', 'results.0.result', 'fail'],
  ['policy-report', 'results.0.Result', 'fail'],
  ['policy-report', 'results.0.error', 'not evaluated'],
  ['policy-report', 'Results', [{ policy: 'limits', result: 'fail' }]],
  ['policy-report', 'error', 'forbidden'],
  // Below the objects that say how it went.
  ['trivy k8s', 'Resources.0.Results.0.MisconfSummary.failed', 2],
  ['trivy operator', 'report.summary.failed', 2],
  ['kubescape', `${control}.statusInfo.failed`, 2],
  ['kubescape', `${control}.ResourceCounters.nonCompliant`, 2],
  ['kubescape', `${framework}.controls.C-1.verdict`, 'fail'],
  ['kubescape', 'summaryDetails.ResourceCounters.failed', 2],
  ['kubescape', 'summaryDetails.controlsSeverityCounters.critical', 3],
  ['kubescape', 'results.0.omitted', 30],
  ['kubescape', 'results.0.controls.0.status.failed', 2],
  ['kubescape', 'results.0.controls.0.rules.0.failed', 2],
  ['kubescape operator', 'spec.controls.C-1.status.failed', 2],
  ['kube-bench', 'Totals.failed', 2],
  ['sarif', 'runs.0.tool.failed', 2],
  ['sarif', 'runs.0.tool.driver.failed', 2],
  // Other words for the same.
  ['kubebuddy', 'metadata.compliant', false],
  ['trivy image', 'timedOut', true],
  ['trivy image', 'Results.0.CVEs', ['CVE-2026-1']],
  ['trivy k8s', 'unscanned', ['shop']],
  ['popeye', 'popeye.excluded', ['shop']],
  ['popeye', `${section}.verdict`, 'fail'],
  ['polaris', 'passed', false],
  ['polaris', 'problems', 4],
  ['kube-bench', 'Controls.0.stderr', 'panic: runtime error'],
  ['policy-report', 'critical', 3],
  // Other spellings.
  ['trivy image', 'Results\u200b', [{ Target: 'a' }]],
  ['trivy image', 'R\u0435sults', [{ Target: 'a' }]],
  ['popeye', `${section}.isues`, { 'shop/web': [1] }],
  ['kube-bench', 'Controls.0.test', [1]],
  ['sarif', 'runs.0.result', [1]],
  ['policy-report', 'ns:results', [1]],
  ['sarif', 'version', '3.0.0'],
  ['sarif', 'runs.1', [[]]],
  ['sarif', 'runs.1', null],
  ['sarif', 'runs.0.invocations.0.toolExecutionNotifications', { level: 'error' }],
  ['sarif', 'runs.0.invocations.0.toolExecutionNotifications', [{ level: 'fatal', message: { text: 'panic' } }]],
  ['sarif', 'runs.0.invocations.0.toolConfigurationNotifications', [{ exception: { message: 'panic' } }]],
  ['sarif', 'runs.0.externalPropertyFileReferences', { Results: [{ location: { uri: 'x' } }] }],
  ['sarif', 'inlineExternalProperties', [{ Results: [{ ruleId: 'R1' }] }]],
  ['sarif', 'inlineExternalProperties', [{ invocations: [{ executionSuccessful: false }] }]],
]

test.each(contradictions)('a clean report of %s has not passed with %s: %j', async (name, path, value) => {
  expect(await outcomeFor(changed(name, path, value))).not.toBe('passed')
})

const ofObjects = ['trivy operator', 'kubescape operator', 'policy-report'] as const

test.each(ofObjects)('a list of reports of %s has not passed where it is a part, or holds an error', async (name) => {
  const toList = (metadata: object, ...more: object[]) =>
    outcomeFor(JSON.stringify({ apiVersion: 'v1', kind: 'List', metadata, items: [cleanReports[name], ...more] }))
  expect(await toList({ resourceVersion: '1' })).toBe('passed')
  expect(await toList({ continue: 'abc' })).toBe('not understood')
  expect(await toList({ remainingItemCount: 20 })).toBe('not understood')
  const error = { kind: 'Status', status: 'Failure', message: 'policyreports is forbidden' }
  expect(await toList({}, error)).toBe('not understood')
})

describe('a clean report has passed all the same', () => {
  test.each<[CleanReport, string, unknown]>([
    ['kubebuddy', 'metadata.owner', 'platform'],
    ['kubebuddy', 'metadata.score', 97],
    ['kubebuddy', 'metrics', { nodes: { ready: 3 } }],
    ['trivy image', 'ArtifactID', 'sha256:1'],
    ['trivy image', 'Results.0.Packages', [{ Name: 'openssl', Version: '3.0.1' }]],
    ['trivy k8s', 'Resources.0.Results.0.MisconfSummary.Exceptions', 0],
    ['kubescape', 'scanCoverage', { degraded: false, coverageScore: 100, totalControls: 1, evaluatedControls: 1 }],
    ['kubescape', `${control}.severity`, 'High'],
    ['popeye', `${section}.tally.score`, 99],
    ['polaris', 'ClusterInfo', { Version: '1.34', Nodes: 3, Pods: 24, Namespaces: 6, Controllers: 9 }],
    ['kube-bench', `${group}.pass`, 2],
    ['sarif', 'runs.0.columnKind', 'utf16CodeUnits'],
    ['policy-report', 'scope', { kind: 'Pod', name: 'web' }],
  ])('%s with %s: %j', async (name, path, value) => {
    expect(await outcomeFor(changed(name, path, value))).toBe('passed')
  })
})

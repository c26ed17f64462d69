import type { ReportFormat } from '../../../src/contract/scan-finding.ts'

/** The smallest report of each form that shows that something was looked at, and that nothing was found. */
export const cleanReports = {
  kubebuddy: {
    metadata: { clusterName: 'shop', score: 100 },
    checks: {
      SEC001: { ID: 'SEC001', Name: 'Rule', Severity: 'critical', Weight: 4, ResourceKind: 'Pod', Total: 0, Items: [] },
    },
  },
  'trivy image': {
    SchemaVersion: 2,
    ArtifactName: 'web:1.0.0',
    ArtifactType: 'container_image',
    Metadata: { OS: { Family: 'debian', Name: '12' }, RepoTags: ['web:1.0.0'] },
    Results: [{ Target: 'web:1.0.0 (debian 12)', Class: 'os-pkgs', Type: 'debian' }],
  },
  'trivy k8s': {
    ClusterName: 'shop',
    Resources: [
      {
        Namespace: 'shop',
        Kind: 'Deployment',
        Name: 'web',
        Results: [
          {
            Target: 'Deployment/web',
            Class: 'config',
            Type: 'kubernetes',
            MisconfSummary: { Successes: 80, Failures: 0 },
            Misconfigurations: [{ ID: 'KSV014', Title: 'Root', Severity: 'HIGH', Status: 'PASS' }],
          },
        ],
      },
    ],
  },
  'trivy operator': {
    apiVersion: 'aquasecurity.github.io/v1alpha1',
    kind: 'ConfigAuditReport',
    metadata: { name: 'web', namespace: 'shop' },
    report: {
      summary: { criticalCount: 0, highCount: 0, mediumCount: 0, lowCount: 0 },
      checks: [{ checkID: 'KSV014', title: 'Root', severity: 'HIGH', success: true }],
    },
  },
  kubescape: {
    clusterName: 'shop',
    summaryDetails: {
      controls: {
        'C-1': {
          controlID: 'C-1',
          name: 'Root',
          status: 'passed',
          statusInfo: { status: 'passed' },
          scoreFactor: 7,
          score: 0,
          complianceScore: 100,
          ResourceCounters: { passedResources: 3, failedResources: 0 },
        },
      },
      status: 'passed',
      frameworks: [
        {
          name: 'NSA',
          status: 'passed',
          score: 0,
          complianceScore: 100,
          controls: { 'C-1': { controlID: 'C-1', name: 'Root', status: 'passed' } },
        },
      ],
      controlsSeverityCounters: { criticalSeverity: 0, highSeverity: 0 },
      resourcesSeverityCounters: { criticalSeverity: 0, highSeverity: 0 },
      ResourceCounters: { passedResources: 3, failedResources: 0 },
      vulnerabilities: { mapsSeverityToSummary: {}, CVEs: [], packageScores: {}, images: null },
      score: 0,
      complianceScore: 100,
    },
    results: [
      {
        resourceID: 'apps/v1/shop/Deployment/web',
        controls: [
          { controlID: 'C-1', name: 'Root', status: { status: 'passed' }, rules: [{ name: 'r', status: 'passed' }] },
        ],
      },
    ],
  },
  'kubescape operator': {
    apiVersion: 'spdx.softwarecomposition.kubescape.io/v1beta1',
    kind: 'WorkloadConfigurationScan',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      controls: {
        'C-1': { controlID: 'C-1', name: 'Root', severity: { scoreFactor: 7 }, status: { status: 'passed' } },
      },
    },
  },
  popeye: {
    popeye: {
      score: 100,
      grade: 'A',
      sections: [
        {
          linter: 'pods',
          gvr: 'v1/pods',
          tally: { ok: 2, info: 0, warning: 0, error: 0, score: 100 },
          issues: { 'shop/web': [], 'shop/cart': [{ group: 'cart', gvr: 'containers', level: 0, message: 'ok' }] },
        },
      ],
    },
  },
  polaris: {
    PolarisOutputVersion: '1.0',
    SourceType: 'Cluster',
    Score: 100,
    Results: [
      {
        Name: 'web',
        Namespace: 'shop',
        Kind: 'Deployment',
        Results: {},
        PodResult: {
          Name: '',
          Results: { hostIPCSet: { ID: 'hostIPCSet', Message: 'is fine', Success: true, Severity: 'danger' } },
          ContainerResults: [{ Name: 'web', Results: {} }],
        },
      },
    ],
  },
  'kube-bench': {
    Controls: [
      {
        id: '1',
        text: 'Master',
        node_type: 'master',
        total_pass: 1,
        total_fail: 0,
        total_warn: 0,
        tests: [
          {
            section: '1.1',
            desc: 'Files',
            pass: 1,
            fail: 0,
            warn: 0,
            results: [{ test_number: '1.1.1', test_desc: 'Modes', status: 'PASS', scored: true }],
          },
        ],
      },
    ],
    Totals: { total_pass: 1, total_fail: 0, total_warn: 0, total_info: 0 },
  },
  sarif: {
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Grype', rules: [{ id: 'R1' }] } },
        invocations: [{ executionSuccessful: true, exitCode: 0 }],
        results: [{ ruleId: 'R1', kind: 'pass', level: 'none', message: { text: 'fine' } }],
      },
    ],
  },
  'policy-report': {
    apiVersion: 'wgpolicyk8s.io/v1alpha2',
    kind: 'PolicyReport',
    metadata: { name: 'p', namespace: 'shop' },
    summary: { pass: 1, fail: 0, warn: 0, error: 0, skip: 0 },
    results: [
      { policy: 'limits', rule: 'cpu', result: 'pass', resources: [{ kind: 'Pod', name: 'web', namespace: 'shop' }] },
    ],
  },
} satisfies Record<string, object>

export type CleanReport = keyof typeof cleanReports

export const toFormat = (name: CleanReport): ReportFormat => name.split(' ')[0] as ReportFormat

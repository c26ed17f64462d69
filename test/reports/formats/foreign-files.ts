import { gzipSync } from 'node:zlib'

const json = (value: unknown): string => JSON.stringify(value)
const manifest = (apiVersion: string, kind: string, more = {}) =>
  json({ apiVersion, kind, metadata: { name: 'web', namespace: 'shop' }, ...more })
const utf16 = (text: string) => Buffer.from(text, 'utf16le')
const cycloneDx = json({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  metadata: { timestamp: '2026-08-20T06:00:00Z', tools: { components: [] }, component: { name: 'shop' } },
  components: [{ type: 'library', name: 'zlib' }],
  vulnerabilities: [{ id: 'CVE-2026-1' }],
})
const falco = json({
  output: 'Shell in a container',
  priority: 'Notice',
  rule: 'Terminal shell',
  time: '2026',
  output_fields: {},
})

/** Files that are no scan report, with a word that the refusal says. */
export const foreignFiles: [name: string, content: string | Buffer, said: string][] = [
  ['CycloneDX', cycloneDx, 'CycloneDX SBOM'],
  ['CycloneDX in gzip', gzipSync(cycloneDx), 'CycloneDX SBOM'],
  ['CycloneDX in UTF-16', utf16(`\ufeff${cycloneDx}`), 'UTF-16'],
  ['SPDX', json({ spdxVersion: 'SPDX-2.3', SPDXID: 'SPDXRef-DOCUMENT', name: 'shop', packages: [] }), 'SPDX SBOM'],
  [
    'Syft',
    json({ artifacts: [{ name: 'zlib' }], artifactRelationships: [], source: {}, descriptor: { name: 'syft' } }),
    'Syft SBOM',
  ],
  [
    'Grype',
    json({ matches: [{ vulnerability: { id: 'CVE-1' } }], source: {}, descriptor: { name: 'grype' } }),
    'Grype',
  ],
  [
    'a list of pods',
    json({ apiVersion: 'v1', kind: 'List', metadata: {}, items: [{ apiVersion: 'v1', kind: 'Pod' }] }),
    'list of Pod',
  ],
  [
    'an empty list',
    json({ apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' }, items: [] }),
    'an empty Kubernetes List',
  ],
  [
    'an empty list of the operator',
    json({ apiVersion: 'aquasecurity.github.io/v1alpha1', kind: 'ConfigAuditReportList', metadata: {}, items: [] }),
    'an empty Kubernetes ConfigAuditReportList, not a scan report. Upload a JSON report of',
  ],
  ['a Deployment', manifest('apps/v1', 'Deployment', { spec: { replicas: 2 } }), 'Kubernetes Deployment'],
  ['a ConfigMap', manifest('v1', 'ConfigMap', { data: { score: '80' } }), 'Kubernetes ConfigMap'],
  [
    'an object with a clusterName',
    manifest('v1', 'Secret', { metadata: { clusterName: 'shop' } }),
    'Kubernetes Secret',
  ],
  [
    'a ClusterComplianceDetailReport',
    manifest('aquasecurity.github.io/v1alpha1', 'ClusterComplianceDetailReport', { report: { title: 'NSA' } }),
    'ClusterComplianceDetailReport',
  ],
  [
    'an SbomReport',
    manifest('aquasecurity.github.io/v1alpha1', 'SbomReport', { report: { components: {} } }),
    'SbomReport',
  ],
  [
    'docker-bench',
    json({
      dockerbenchsecurity: '1.6.0',
      tests: [{ id: '1', results: [{ id: '1.1', result: 'WARN' }] }],
      checks: 105,
      score: 3,
    }),
    'docker-bench-security',
  ],
  [
    'kube-score',
    json([{ object_name: 'web', type_meta: {}, checks: [{ check: { id: 'x' }, grade: 1 }], file_name: 'web.yaml' }]),
    'kube-score',
  ],
  [
    'Checkov',
    json({ check_type: 'kubernetes', results: { passed_checks: [], failed_checks: [{}] }, summary: {} }),
    'Checkov',
  ],
  [
    'Checkov of two frameworks',
    json([
      { check_type: 'kubernetes', results: {} },
      { check_type: 'helm', results: {} },
    ]),
    'Checkov',
  ],
  ['KICS', json({ kics_version: 'v2.1.0', files_scanned: 1, queries: [{ query_name: 'q' }] }), 'KICS'],
  ['Terrascan', json({ results: { violations: [{}], scan_summary: { high: 1 } } }), 'Terrascan'],
  ['Semgrep', json({ version: '1.90.0', results: [{ check_id: 'a', path: 'b' }], errors: [], paths: {} }), 'Semgrep'],
  ['Falco', falco, 'Falco'],
  ['events of Falco', `${falco}\n${falco}\n`, 'not valid JSON'],
  [
    'npm audit',
    json({ auditReportVersion: 2, vulnerabilities: {}, metadata: { vulnerabilities: { total: 0 } } }),
    'npm audit',
  ],
  ['Snyk', json({ vulnerabilities: [{ id: 'SNYK-1' }], ok: false, dependencyCount: 3, packageManager: 'deb' }), 'Snyk'],
  [
    'Dependency-Check',
    json({ reportSchema: '1.1', scanInfo: {}, projectInfo: {}, dependencies: [] }),
    'Dependency-Check',
  ],
  ['a GitLab report', json({ version: '15.0.0', vulnerabilities: [], scan: { type: 'container_scanning' } }), 'GitLab'],
  ['Prometheus', json({ status: 'success', data: { resultType: 'vector', result: [] } }), 'Prometheus'],
  ['a Grafana dashboard', json({ annotations: {}, panels: [], schemaVersion: 39, title: 'Shop' }), 'Grafana'],
  ['package.json', json({ name: 'shop', version: '1.0.0', dependencies: { zod: '4' } }), 'package.json'],
  ['kubectl version', json({ clientVersion: { gitVersion: 'v1.34.2' }, serverVersion: {} }), 'kubectl version'],
  [
    'a Terraform plan',
    json({ format_version: '1.2', terraform_version: '1.9.0', checks: [{ address: {}, status: 'pass' }] }),
    'Terraform plan',
  ],
  [
    'values of a chart in JSON',
    json({ replicaCount: 2, image: { repository: 'shop/web', tag: '1.2.3' } }),
    'no known shape',
  ],
  ['values of a chart', 'replicaCount: 2\nimage:\n  tag: 1.2.3\n', 'YAML'],
  ['manifests in YAML', '---\napiVersion: v1\nkind: Pod\n', 'YAML'],
  ['JUnit', '<?xml version="1.0"?>\n<testsuites><testsuite name="a"/></testsuites>', 'XML'],
  ['HTML of KubeBuddy', '<!DOCTYPE html>\n<html><body>KubeBuddy</body></html>', 'HTML page'],
  ['CSV of KubeBuddy', 'ID,Name,Severity,Total\nSEC001,A,high,3\n', 'CSV'],
  ['text of KubeBuddy', '📊 KubeBuddy report\nScore 80\n', 'plain text'],
  ['Markdown', '# Findings\n\n- one\n', 'Markdown'],
  ['UTF-16 without a mark', utf16('{"checks":{}}'), 'UTF-16'],
  ['UTF-16, big end first', Buffer.from(utf16(`\ufeff${cycloneDx}`)).swap16(), 'UTF-16'],
  ['zip', Buffer.from('504b0304140000000800', 'hex'), 'zip archive'],
  ['PDF', '%PDF-1.7\n%', 'PDF'],
  ['PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'PNG'],
  ['bytes', Buffer.from([1, 0, 2, 0, 0, 3]), 'binary file'],
  ['gzip in gzip', gzipSync(gzipSync(cycloneDx)), 'gzip'],
  ['nothing', '', 'is empty'],
  ['an empty object', '{}', 'no known shape'],
  ['an empty array', '[]', 'no known shape'],
  ['null', 'null', 'no known shape'],
  ['a number', '42', 'no known shape'],
  ['lines of JSON', '{"a":1}\n{"a":2}\n', 'not valid JSON'],
  ['CloudFormation', json({ Resources: { Bucket: { Type: 'AWS::S3::Bucket' } } }), 'no known shape'],
  ['Security Hub', json({ Findings: [{ Id: '1', ProductArn: 'arn' }] }), 'no known shape'],
  ['health checks', json({ status: 'pass', checks: { db: [{ status: 'pass' }] } }), 'no known shape'],
]

/** Reports of each scanner in which nothing was looked at. */
export const emptyReports: [name: string, report: string][] = [
  ['kubebuddy with metadata and no checks', json({ metadata: { clusterName: 'shop', score: 80 }, checks: {} })],
  ['kubebuddy with an empty list of checks', json({ metadata: { clusterName: 'shop' }, checks: [] })],
  ['trivy k8s without resources', json({ ClusterName: 'shop' })],
  ['trivy of something without a type', json({ ArtifactName: 'scratch' })],
  [
    'kubescape without controls and results',
    json({ clusterName: 'shop', summaryDetails: { controls: {} }, results: [] }),
  ],
  ['popeye without sections', json({ popeye: { score: 100, sections: [] }, ClusterName: 'shop' })],
  ['popeye that saw nothing', json({ popeye: { sections: [{ linter: 'pods', tally: { ok: 0 }, issues: {} }] } })],
  ['polaris without results', json({ PolarisOutputVersion: '1.0', Results: null, Score: 100 })],
  ['kube-bench without controls', json({ Controls: [], Totals: { total_pass: 0 } })],
  ['SARIF without runs', json({ version: '2.1.0', runs: [] })],
  ['SARIF without a tool', json({ version: '2.1.0', runs: [{ results: [] }] })],
  [
    'SARIF of a tool that failed',
    json({
      version: '2.1.0',
      runs: [{ tool: { driver: { name: 'lint' } }, invocations: [{ executionSuccessful: false }], results: [] }],
    }),
  ],
]

/** Reports without findings, of a scanner that did look. */
export const cleanReports: [name: string, report: string][] = [
  ['trivy image', json({ ArtifactName: 'shop', Results: [{ Target: 'shop (alpine 3.20)', Class: 'os-pkgs' }] })],
  ['trivy image without results', json({ SchemaVersion: 2, ArtifactName: 'a', ArtifactType: 'container_image' })],
  ['trivy k8s', json({ ClusterName: 'shop', Resources: [{ Kind: 'Pod', Name: 'web' }] })],
  [
    'a single report of the operator',
    manifest('aquasecurity.github.io/v1alpha1', 'ConfigAuditReport', { report: { checks: [] } }),
  ],
  [
    'a list of the operator with objects without a kind',
    json({
      items: [{ metadata: {}, report: { checks: [] } }],
      ...{ apiVersion: 'aquasecurity.github.io/v1alpha1', kind: 'ConfigAuditReportList' },
    }),
  ],
  ['OpenReports', manifest('openreports.io/v1alpha1', 'Report', { summary: { pass: 0, fail: 0 } })],
  ['popeye', json({ popeye: { sections: [{ linter: 'pods', tally: { ok: 3 }, issues: {} }] } })],
  ['polaris', json({ PolarisOutputVersion: '1.0', Results: [{ Name: 'web', Kind: 'Deployment' }] })],
  ['SARIF', json({ version: '2.1.0', runs: [{ tool: { driver: { name: 'lint' } }, results: [] }] })],
]

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, temporaryFolder, testNow } from '../helpers/cli.ts'

const image = (reference: string, ids: string[], secrets?: string[], family = 'debian') => ({
  SchemaVersion: 2,
  ArtifactName: reference,
  ArtifactType: 'container_image',
  Metadata: { OS: { Family: family, Name: '12' } },
  Results: [
    {
      Target: `${reference} (${family} 12)`,
      Class: 'os-pkgs',
      Type: family,
      Vulnerabilities: ids.map((VulnerabilityID) => ({
        VulnerabilityID,
        PkgName: 'openssl',
        Severity: 'CRITICAL',
        Title: 't',
      })),
    },
    ...(secrets
      ? [
          {
            Target: '/app/env',
            Class: 'secret',
            Secrets: secrets.map((RuleID) => ({ RuleID, Title: 'key', Severity: 'CRITICAL' })),
          },
        ]
      : []),
  ],
})

const sarif = (tool: string, ids: string[], folder = 'src') => ({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: tool } },
      results: ids.map((ruleId) => ({
        ruleId,
        level: 'error',
        message: { text: ruleId },
        properties: { 'security-severity': '9.8' },
        locations: [{ physicalLocation: { artifactLocation: { uri: `${folder}/a.ts` } } }],
      })),
    },
  ],
})

const github = (branch: string, more: Record<string, string> = {}) => ({
  GITHUB_ACTIONS: 'true',
  GITHUB_REF_NAME: branch,
  GITHUB_REF_TYPE: 'branch',
  ...more,
})
const ofFork = github('12/merge', {
  GITHUB_HEAD_REF: 'main',
  GITHUB_BASE_REF: 'main',
  GITHUB_REF: 'refs/pull/12/merge',
})

/** The build of a number, whose jobs upload a part each. */
const build = (number: number) => {
  const ofGithub = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'shop/web' }
  return github('main', { ...ofGithub, GITHUB_RUN_ID: String(number) })
}

/** Reports of Trivy's operator, as `kubectl get` lists them. */
const operator = (kind: 'VulnerabilityReport' | 'ConfigAuditReport', ids: string[]) => ({
  apiVersion: 'v1',
  kind: 'List',
  items: [
    {
      apiVersion: 'aquasecurity.github.io/v1alpha1',
      kind,
      metadata: {
        name: 'web',
        namespace: 'shop',
        labels: { 'trivy-operator.resource.kind': 'Deployment', 'trivy-operator.resource.name': 'web' },
      },
      report: {
        summary: { criticalCount: ids.length, highCount: 0, mediumCount: 0, lowCount: 0 },
        ...(kind === 'VulnerabilityReport'
          ? { vulnerabilities: ids.map((id) => ({ vulnerabilityID: id, severity: 'CRITICAL', resource: 'openssl' })) }
          : { checks: ids.map((id) => ({ checkID: id, title: id, severity: 'CRITICAL', success: false })) }),
      },
    },
  ],
})

interface Build {
  report: object
  env?: Record<string, string>
  /** Exit code. */
  ends: number
}

/** Builds a day apart, each with the end that it should have. Those of a pipeline need a line that begins their baseline. */
const lives: [life: string, builds: Build[], policy?: string][] = [
  [
    'image A, image B, image A',
    [
      { report: image('shop/a:1', ['CVE-1']), ends: 0 },
      { report: image('shop/b:1', []), ends: 0 },
      { report: image('shop/a:1', ['CVE-1']), ends: 0 },
      { report: image('shop/a:2', ['CVE-1', 'CVE-2']), ends: 5 },
    ],
  ],
  [
    'a tag for each commit',
    [
      { report: image('shop/a:c1', ['CVE-1']), ends: 0 },
      { report: image('shop/a:c2', ['CVE-1']), ends: 0 },
      { report: image('shop/a:c3', ['CVE-2']), ends: 5 },
    ],
  ],
  [
    'a pull request of a fork, whose branch is called main',
    [
      { report: image('shop/a:1', ['CVE-1']), env: github('main'), ends: 0 },
      { report: image('shop/a:pr', ['CVE-2']), env: ofFork, ends: 5 },
      { report: image('shop/a:pr', []), env: ofFork, ends: 0 },
      { report: image('shop/a:2', ['CVE-1']), env: github('main'), ends: 0 },
      { report: image('shop/a:3', ['CVE-1', 'CVE-2']), env: github('main'), ends: 5 },
    ],
  ],
  [
    'a feature branch between two builds of main, and a tag',
    [
      { report: image('shop/a:1', ['CVE-1']), env: github('main'), ends: 0 },
      { report: image('shop/a:f', []), env: github('feature'), ends: 0 },
      { report: image('shop/a:2', ['CVE-1']), env: github('main'), ends: 0 },
      { report: image('shop/a:v3', ['CVE-3']), env: github('v3', { GITHUB_REF_TYPE: 'tag' }), ends: 5 },
      { report: image('shop/a:4', ['CVE-3']), env: github('main'), ends: 5 },
      { report: image('shop/a:5', []), env: github('main'), ends: 0 },
    ],
  ],
  [
    'the branch that the policy names, after a first build of another one',
    [
      { report: image('shop/a:f', ['CVE-1']), env: github('feature'), ends: 6 },
      { report: image('shop/a:1', ['CVE-1', 'CVE-2']), env: github('main'), ends: 0 },
      { report: image('shop/a:f', ['CVE-3']), env: github('feature'), ends: 5 },
      { report: image('shop/a:2', ['CVE-1', 'CVE-2']), env: github('main'), ends: 0 },
    ],
    'branch: main\n  begin: 2026-09-02',
  ],
  [
    'two tools of SARIF',
    [
      { report: sarif('gitleaks', ['k1']), ends: 0 },
      { report: sarif('semgrep', []), ends: 0 },
      { report: sarif('gitleaks', ['k1']), ends: 0 },
      { report: sarif('gitleaks', ['k1', 'k2']), ends: 5 },
    ],
  ],
  [
    'two services of one build, without a category',
    [
      { report: sarif('semgrep', ['r1'], 'services/a'), env: build(1), ends: 0 },
      { report: sarif('semgrep', ['r2'], 'services/b'), env: build(1), ends: 0 },
      { report: sarif('semgrep', ['r1'], 'services/a'), env: build(2), ends: 0 },
      { report: sarif('semgrep', ['r2'], 'services/b'), env: build(2), ends: 0 },
      { report: sarif('semgrep', ['r1'], 'services/a'), env: build(3), ends: 0 },
      { report: sarif('semgrep', ['r2', 'r3'], 'services/b'), env: build(3), ends: 5 },
    ],
  ],
  [
    'alpine and debian of one build',
    [
      { report: image('shop/a:1', ['CVE-1'], undefined, 'debian'), env: build(1), ends: 0 },
      { report: image('shop/a:1-alpine', [], undefined, 'alpine'), env: build(1), ends: 0 },
      { report: image('shop/a:2', ['CVE-1'], undefined, 'debian'), env: build(2), ends: 0 },
      { report: image('shop/a:2-alpine', ['CVE-1'], undefined, 'alpine'), env: build(2), ends: 5 },
    ],
  ],
  [
    'kinds of an operator in two uploads, each of which leaves out the other',
    [
      { report: operator('VulnerabilityReport', ['CVE-1']), ends: 0 },
      { report: operator('ConfigAuditReport', ['KSV1']), ends: 6 },
      { report: operator('VulnerabilityReport', ['CVE-1']), ends: 6 },
      { report: operator('VulnerabilityReport', ['CVE-1', 'CVE-2']), ends: 5 },
    ],
  ],
  [
    'kinds of an operator in two uploads, with a line for what each leaves out',
    [
      { report: operator('VulnerabilityReport', ['CVE-1']), ends: 0 },
      { report: operator('ConfigAuditReport', ['KSV1']), ends: 0 },
      { report: operator('VulnerabilityReport', ['CVE-1']), ends: 0 },
      { report: operator('ConfigAuditReport', ['KSV1']), ends: 0 },
      { report: operator('VulnerabilityReport', ['CVE-1', 'CVE-2']), ends: 5 },
      { report: operator('ConfigAuditReport', ['KSV1', 'KSV2']), ends: 5 },
    ],
    'undecided: [{part: [Vulnerability, Misconfiguration, End of support], until: 2026-12-31}]',
  ],
  [
    'secrets found, vulnerabilities looked for alone, and secrets again',
    [
      { report: image('shop/a:1', [], ['aws']), ends: 0 },
      { report: image('shop/a:2', []), ends: 6 },
      { report: image('shop/a:3', [], ['aws']), ends: 0 },
      { report: image('shop/a:4', [], ['aws', 'gcp']), ends: 5 },
    ],
  ],
]

test.each(lives)('%s', async (_, builds, policy = 'begin: 2026-09-01') => {
  const home = temporaryFolder()
  const file = join(home, 'report.json')
  const yaml = join(home, 'policy.yaml')
  writeFileSync(yaml, `gate:\n  fail_on: ['new>=critical', 'regressed>=critical']\n  ${policy}\n`)
  const ends: number[] = []
  let now = testNow
  for (const [i, { report, env = {} }] of builds.entries()) {
    writeFileSync(file, JSON.stringify(report))
    const isSameBuild = env.GITHUB_RUN_ID !== undefined && env.GITHUB_RUN_ID === builds[i - 1]?.env?.GITHUB_RUN_ID
    if (i > 0) now += isSameBuild ? 60 : 86_400
    const argv = ['ci', file, '--cluster', 'c', '--policy', yaml]
    const { code, stdout, stderr } = await runCli(argv, { home, env, now })
    if (code !== builds[i]!.ends) console.log(stdout, stderr)
    ends.push(code)
  }
  expect(ends).toEqual(builds.map((build) => build.ends))
})

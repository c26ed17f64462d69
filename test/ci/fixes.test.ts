import { describe, expect, test } from 'vitest'
import { renderJunit } from '../../src/ci/junit.ts'
import { renderMarkdown } from '../../src/ci/markdown.ts'
import type { CiReport } from '../../src/ci/report.ts'
import { riskPathFindings } from '../../src/ci/risk-path-findings.ts'
import { renderSarif } from '../../src/ci/sarif.ts'
import type { ReceivedRun } from '../../src/contract/received/cluster-report.ts'
import { readRiskPaths } from '../../src/reports/risk-paths.ts'
import { toSubject } from '../../src/reports/run-subject.ts'
import { now } from '../gate/evidence.ts'

const paths = readRiskPaths(
  [
    {
      ...{ id: 'RISK001', name: 'Isolation', status: 'triggered', fixPriority: 'urgent', summary: 'A *path*.' },
      evidence: [{ checkId: 'SEC003', findingCount: 2 }],
    },
    { id: 'RISK002', name: 'Old', status: 'mitigated' },
  ],
  null,
)
const run = {
  ...{ run_id: 'crun_a', cluster_name: 'shop', environment: 'prod', format: null, score: 50, risk_paths: paths },
  ...{ started_at: null, finished_at: null, ingested_at: null },
  guidance: [{ check_id: 'SEC003', recommendation: 'Set runAsUser [now].', url: 'https://k.example/?a=1&b=2' }],
} as unknown as ReceivedRun
const evidence = {
  ...{ kind: 'finding' as const, id: 'SEC003', name: 'Root', severity: 'critical' as const, namespace: 'shop' },
  ...{ resource: 'pod/a', message: 'runs as root', fingerprint: null },
}
const rule = {
  ...{
    rule: 'new>=high',
    kind: 'new' as const,
    verdict: 'failed' as const,
    reason: '1 new finding',
    evidence: [evidence, evidence],
  },
  ...{ evidence_total: 2, excepted: 0, notes: [], allowed_unknown: null },
}
const uses = { used: [], unused: [], expired: [] }
const result: CiReport['result'] = {
  ...toSubject(run, { now }),
  ...{
    verdict: 'failed',
    not_run_checks: 0,
    known_faults: 0,
    is_empty: false,
    rules: [rule],
    exceptions: uses,
    undecided_by: [],
    causes: [],
    undecided_lines: uses,
  },
}
const comparison = {
  new_findings: [],
  regressed_findings: [],
  resolved_findings: [],
  risk_paths: { opened: [paths![0]!], closed: [], incomparable: [] },
} as unknown as NonNullable<CiReport['comparison']>

describe('how to fix', () => {
  test('is in the summary once for each check', () => {
    const markdown = renderMarkdown({ run, result }, 100_000)
    expect(markdown.match(/### How to fix/g)).toHaveLength(1)
    expect(markdown).toContain('- <code>SEC003</code> Set runAsUser &#91;now&#93;&#46;')
    expect(markdown).toContain('k&#46;example/&#63;a=1&#38;b=2')
    const passed = { ...result, rules: [{ ...rule, verdict: 'passed' as const }] }
    expect(renderMarkdown({ run, result: passed }, 100_000)).not.toContain('How to fix')
  })

  test('is in the test case that failed', () => {
    expect(renderJunit({ run, result })).toContain('Fix SEC003: Set runAsUser [now]. https://k.example/?a=1&amp;b=2')
  })

  test('is in the rules of SARIF', () => {
    const finding = {
      ...{
        fingerprint: 'a'.repeat(32),
        check_id: 'SEC003',
        check_name: 'Root',
        category: 'Security',
        severity: 'critical' as const,
      },
      ...{
        namespace: 'shop',
        resource: 'pod/a',
        message: 'root',
        value: null,
        baseline: undefined,
        suppression: undefined,
      },
      ...{ help: 'Set runAsUser [now].', helpUri: 'https://k.example/' },
    }
    const [first] = JSON.parse(renderSarif({ run, result }, [finding], '1')).runs
    expect(first.tool.driver.rules[0]).toMatchObject({
      help: { text: 'Set runAsUser \\[now\\].' },
      helpUri: 'https://k.example/',
    })
    const without = JSON.parse(renderSarif({ run, result }, [{ ...finding, help: null, helpUri: null }], '1')).runs[0]
    expect(Object.keys(without.tool.driver.rules[0])).not.toContain('help')
  })
})

describe('risk paths', () => {
  test('are results of SARIF while they are open', () => {
    expect(riskPathFindings(run, comparison)).toMatchObject([
      {
        ...{ check_id: 'RISK001', category: 'Risk paths', severity: 'critical', baseline: 'new' },
        message: 'Isolation. A *path*. Evidence: SEC003 (2).',
      },
    ])
    expect(riskPathFindings(run, undefined)).toMatchObject([{ baseline: undefined }])
  })

  test('are in the summary', () => {
    const markdown = renderMarkdown({ run, comparison, result }, 100_000)
    expect(markdown).toContain('### Risk paths\n\n- <code>RISK001</code> Isolation (new): A &#42;path&#42;&#46;\n')
    expect(markdown).not.toContain('RISK002')
  })
})

import type { Comparison, Run } from '../../src/contract/cluster-report.ts'
import type { Coverage, Freshness, FreshnessItem, RunningAdvisory } from '../../src/contract/freshness.ts'
import type { ReceivedComparison } from '../../src/contract/received/cluster-report.ts'
import type { Finding } from '../../src/contract/scan-finding.ts'
import { completePolicy } from '../../src/gate/complete-policy.ts'
import type { ComparedChanges } from '../../src/gate/court.ts'
import type { Policy } from '../../src/gate/policy.ts'
import { readPolicy } from '../../src/gate/read-policy.ts'
import { testNow } from '../helpers/cli.ts'

/** Noon of 2026-09-01. */
export const now = testNow

export function runWith(more: Partial<Run> = {}): Run {
  return {
    run_id: 'crun_a',
    cluster_name: 'shop',
    environment: 'prod',
    provider: null,
    region: null,
    source: null,
    source_version: null,
    kubernetes_version: 'v1.35.2',
    score: 80,
    score_source: 'scanner',
    format: 'kubebuddy',
    total_checks: 5,
    failed_checks: 2,
    passed_checks: 3,
    findings: { total: 0, critical: 0, high: 0, medium: 0, low: 0, info: 0, unknown: 0 },
    artifacts: { images: 2, helm_charts: 0, apps: 0 },
    started_at: null,
    finished_at: null,
    duration_seconds: null,
    ingested_at: '2026-09-01 12:00:00',
    processing_status: 'ready',
    size_bytes: 1,
    ci: null,
    ...more,
  }
}

let number = 0

export function findingWith(more: Partial<Finding> = {}): Finding {
  number++
  return {
    fingerprint: number.toString(16).padStart(32, '0'),
    check_id: 'SEC001',
    check_name: 'Runs as root',
    category: 'Security',
    severity: 'high',
    namespace: 'shop',
    resource: `pod/web-${number}`,
    message: 'is wrong',
    value: null,
    ...more,
  }
}

export function comparisonWith(more: Partial<Comparison> = {}): Comparison {
  const comparison = {
    success: true as const,
    cluster_name: 'shop',
    environment: 'prod',
    from: runWith({ run_id: 'crun_b', score: 90 }),
    to: runWith(),
    score_delta: -10,
    new_findings: [],
    resolved_findings: [],
    regressed_findings: [],
    unchanged_findings_count: 0,
    incomparable_findings_count: 0,
    scope_changes: { namespaces_excluded: [], namespaces_included: [], checks_removed: [], checks_added: [] },
    ...more,
  }
  return {
    ...comparison,
    new_findings_count: comparison.new_findings.length,
    resolved_findings_count: comparison.resolved_findings.length,
    regressed_findings_count: comparison.regressed_findings.length,
  }
}

export function itemWith(more: Partial<FreshnessItem> = {}): FreshnessItem {
  return {
    artifact_type: 'image',
    artifact_key: 'docker.io/library/nginx:1.27.3',
    display_name: 'nginx:1.27.3',
    namespace: 'shop',
    workloads: [],
    source: 'artifacts',
    source_product_id: null,
    source_product_slug: null,
    is_monitored: true,
    current_version: '1.27.3',
    latest_version: '2.0.1',
    global_latest_version: '2.0.1',
    same_line_version: null,
    status: 'major_behind',
    confidence: 1,
    reason: '1.27.3 < 2.0.1',
    recommendation: '',
    compare_mode: 'exact',
    inherited_from_helm: false,
    releases_behind: 2,
    days_behind: 10,
    security_fixes_between: 0,
    highest_severity_between: 'none',
    advisories: [],
    advisories_count: 0,
    highest_advisory_severity: 'none',
    advisories_undecided: 0,
    highest_undecided_severity: 'none',
    fixed_in_line: null,
    fixed_in: null,
    ...more,
  }
}

/** Of a catalog that has security facts for its one project, unless `coverage` says otherwise. */
export function freshnessFor(items: FreshnessItem[], coverage: Partial<Coverage> = {}): Freshness {
  const summary = { up_to_date: 0, minor_behind: 0, major_behind: 0, unknown: 0 }
  const artifacts = items.filter(({ artifact_type }) => artifact_type !== 'kubernetes')
  return {
    success: true,
    run_id: 'crun_a',
    processing_status: 'ready',
    catalog_date: '2026-08-22',
    summary,
    coverage: {
      artifacts: artifacts.length,
      known: artifacts.filter(({ status }) => status !== 'unknown').length,
      security_known: 1,
      projects: 1,
      catalog_at: '2026-08-22',
      security_facts_at: '2026-08-30',
      ...coverage,
    },
    items,
  }
}

export const notRun = (check_id: string, name = `Name of ${check_id}`) => ({ check_id, name, reason: 'forbidden' })

/** A policy of rules and of other members of `gate`, in YAML. */
export function policyWith(rules: string[], members: string): Policy {
  const file = readPolicy(`gate:\n${members.replace(/^/gm, '  ')}`, 'relt.yaml')
  return completePolicy(file, { failOn: rules })
}

/** Each of these rules compares with the run that passed it last. */
export const changesOf = (
  rules: string[],
  comparison: ReceivedComparison | undefined,
  more: Partial<ComparedChanges> = {},
) =>
  new Map<string, ComparedChanges>(
    rules.map((rule) => [rule, { why: 'passed', run_id: 'crun_b', at: null, comparison, held: [], ...more }]),
  )

/** A policy of rules, and of exceptions in YAML. */
export function policyFor(rules: string[], exceptions = ''): Policy {
  const file = exceptions && readPolicy(`gate:\n  exceptions:\n${exceptions.replace(/^/gm, '    ')}`, 'relt.yaml')
  return completePolicy(file || undefined, { failOn: rules })
}

export function advisoryWith(more: Partial<RunningAdvisory> = {}): RunningAdvisory {
  return {
    id: 'CVE-2026-1234',
    aliases: ['GHSA-qppj-fm5r-hxr3'],
    severity: 'high',
    score: 8.1,
    published: '2026-01-10',
    fixed_in: '1.27.5',
    fixed_in_line: '1.27.5',
    ...more,
  }
}

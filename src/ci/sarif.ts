import type { ReceivedRun } from '../contract/received/cluster-report.ts'
import type { FindingSeverity } from '../contract/scan-finding.ts'
import { scannedAt } from '../reports/run-subject.ts'
import { checksNotRun, unnamedText } from '../views/not-run.ts'
import { placePath } from './place-path.ts'
import type { CiFinding, CiReport } from './report.ts'
import { oneLine, place, short } from './text.ts'

/** GitHub's limit of results per run. */
const maxResults = 25_000

const maxNotifications = 1000

const levels = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note',
  unknown: 'warning',
} as const
/** Scores by which GitHub distinguishes critical, high, medium and low. */
const scores: Record<FindingSeverity, string | undefined> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.5',
  low: '3.0',
  info: '0.0',
  unknown: undefined,
}

type SarifReport = Pick<CiReport, 'run'> & {
  result: Partial<Pick<CiReport['result'], 'age_seconds' | 'coverage' | 'coverage_summary'>>
}

/** SARIF 2.1.0 with every finding of the run; findings with equal fingerprints are the same result in the next run. */
export function renderSarif({ run, result }: SarifReport, findings: CiFinding[], toolVersion: string) {
  const listed = findings.slice(0, maxResults)
  const rules = [...new Map(listed.map((finding) => [finding.check_id, finding])).values()]
  const indexOf = new Map(rules.map(({ check_id }, index) => [check_id, index]))
  return `${JSON.stringify({
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'relt', version: toolVersion, rules: rules.map(ruleFor) } },
        automationDetails: { id: `relt/${placePath(run.cluster_name ?? '-', run.environment ?? '-')}/` },
        invocations: [toInvocation(run)],
        results: listed.map((finding) => toResult(finding, indexOf.get(finding.check_id)!)),
        properties: {
          run_id: run.run_id,
          cluster_name: run.cluster_name,
          environment: run.environment,
          scanned_at: scannedAt(run),
          ...(result.age_seconds !== undefined && { age_seconds: result.age_seconds }),
          findings: findings.length,
          listed: listed.length,
          ...(result.coverage && { coverage: result.coverage, coverage_summary: result.coverage_summary }),
        },
      },
    ],
  })}\n`
}

/** A check that did not run is a gap of the scan, rather than a failure of it. */
function toInvocation(run: ReceivedRun) {
  const { named, unnamed } = checksNotRun(run)
  const notify = (text: string) => ({ level: 'warning', message: { text: messageText(text) } })
  const notifications = named.slice(0, maxNotifications).map(({ check_id, name, reason }) => ({
    ...notify(`${name} (${check_id}) did not run: ${reason}`),
    associatedRule: { id: oneLine(check_id) },
  }))
  const rest = unnamed + named.length - notifications.length
  return {
    executionSuccessful: true,
    toolExecutionNotifications: [...notifications, ...(rest > 0 ? [notify(unnamedText(rest))] : [])],
  }
}

function ruleFor({ check_id, check_name, category, severity, help, helpUri, score }: CiFinding) {
  return {
    id: oneLine(check_id),
    shortDescription: { text: short(check_name, 1000) },
    ...(help && { help: { text: messageText(help) } }),
    ...(helpUri && { helpUri }),
    defaultConfiguration: { level: levels[severity] },
    properties: {
      'security-severity': score?.toFixed(1) ?? scores[severity],
      ...(category && { tags: [short(category, 100)] }),
    },
  }
}

function toResult(finding: CiFinding, ruleIndex: number) {
  const { check_id, severity, namespace, resource, message, fingerprint, baseline, suppression } = finding
  return {
    ruleId: oneLine(check_id),
    ruleIndex,
    level: levels[severity],
    message: { text: messageText(`${place(finding)}: ${message}`) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: placePath(namespace ?? 'cluster', resource ?? check_id) },
          region: { startLine: 1 },
        },
        logicalLocations: [{ fullyQualifiedName: oneLine(place(finding)), kind: 'resource' }],
      },
    ],
    partialFingerprints: { 'relt/v1': fingerprint },
    ...(baseline && { baselineState: baseline }),
    ...(suppression && { suppressions: [toSuppression(suppression)] }),
  }
}

function toSuppression({ kind, reason, source }: NonNullable<CiFinding['suppression']>) {
  return {
    kind,
    ...(reason !== null && { justification: short(reason, 1000) }),
    ...(source !== undefined && { properties: { source: short(source, 400) } }),
  }
}

/** SARIF interprets `[text](url)` as a link and `{0}` as a placeholder; a backslash escapes them. */
function messageText(message: string) {
  return short(message, 2000)
    .replace(/[\\[\]]/g, '\\$&')
    .replace(/[{}]/g, '$&$&')
}

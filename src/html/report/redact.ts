import { Redactor } from '../../views/redaction.ts'
import type { MissingPart, Part } from '../../views/view.ts'
import { withoutRest } from './findings.ts'
import { type Fields, redactFields, safe } from './redact-fields.ts'
import {
  checkOfRunFields,
  comparisonFields,
  findingFields,
  freshnessFields,
  gateFields,
  runFields,
  suppressedFields,
  trendFields,
} from './redaction-table.ts'
import type { ListedFindings, Redaction, RunReport } from './report.ts'

/** The report with numbered words for sensitive names. Its `redactor` redacts related texts consistently. */
export function redactReport(report: RunReport, kinds: readonly Redaction[]): RunReport {
  if (kinds.length === 0) return report
  const redactor = new Redactor(kinds, toNamespaces(report))
  const part = <T extends object>(of: Part<T>, fields: Fields<T>) =>
    changePart(of, (found) => redactFields(found, fields, redactor))
  const { isQueued, madeAt, version, csv } = report
  return {
    isQueued,
    madeAt,
    version,
    csv,
    redactor,
    server: null,
    run: redactFields(report.run, runFields, redactor),
    gate: part(report.gate, gateFields),
    comparison: part(report.comparison, comparisonFields),
    findings: changePart(report.findings, (findings) => redactFindings(withoutRest(findings), redactor)),
    freshness: part(report.freshness, freshnessFields),
    trends: part(report.trends, trendFields),
  }
}

/** All namespaces that a report names, to find them in other texts. */
function toNamespaces({ run, findings, comparison, freshness }: RunReport) {
  const changes = comparison.found
  const artifacts = freshness.found?.items ?? []
  const named = [
    findings.found?.items,
    findings.found?.suppressed,
    changes?.new_findings,
    changes?.resolved_findings,
    changes?.regressed_findings,
    changes?.changed_findings,
    changes?.suppressed_findings,
    changes?.event_findings,
    changes?.first_seen_findings,
    changes?.back_in_scope_findings,
    changes?.not_looked_at_findings,
    changes?.at_rest_findings,
    artifacts,
  ]
  const listed = [
    findings.found?.excluded_namespaces,
    ...(run.subjects ?? []).map(({ places }) => places.were_read),
    changes?.scope_changes?.namespaces_excluded,
    changes?.scope_changes?.namespaces_included,
  ]
  return [
    ...named.flatMap((list = []) => list.flatMap(({ namespace }) => namespace ?? [])),
    ...artifacts.flatMap(({ workloads }) => (workloads ?? []).flatMap((workload) => workload.split('/')[0] || [])),
    ...listed.flatMap((names) => names ?? []),
  ]
}

export function redactFindings(findings: ListedFindings, redactor: Redactor): ListedFindings {
  return redactor.kinds.length === 0 ? findings : redactFields(findings, listedFields, redactor)
}

const listedFields: Fields<ListedFindings> = {
  ...safe('basis', 'findings', 'rows', 'suppressed_count', 'accepted_findings_count'),
  excluded_namespaces: 'namespace',
  checks: checkOfRunFields,
  items: findingFields,
  suppressed: suppressedFields,
}

export function changePart<T>(part: Part<T>, by: (found: T) => T): Part<T> {
  if (part.found !== undefined) return { found: by(part.found) }
  const { isForeign } = part as MissingPart
  return isForeign ? { missing: 'The server did not answer this part. Its reason is left out.' } : part
}

import type { RunReport } from './report.ts'

/** Every namespace that a report names, to find it in other texts. */
export function toNamespaces({ run, findings, comparison, freshness }: RunReport): string[] {
  const changes = comparison.found
  const lists = [
    ...(findings.found ? [findings.found.items, findings.found.suppressed] : []),
    ...(changes
      ? [
          ...[changes.new_findings, changes.resolved_findings, changes.regressed_findings],
          ...[changes.changed_findings ?? [], changes.suppressed_findings ?? [], changes.event_findings ?? []],
          ...[changes.first_seen_findings ?? [], changes.back_in_scope_findings ?? []],
        ]
      : []),
    freshness.found?.items ?? [],
  ]
  const workloads = freshness.found?.items.flatMap((item) => item.workloads ?? []) ?? []
  const scope = changes?.scope_changes
  return [
    ...lists.flatMap((list) => list.flatMap(({ namespace }) => namespace ?? [])),
    ...workloads.flatMap((workload) => workload.split('/')[0] || []),
    ...(findings.found?.excluded_namespaces ?? []),
    ...(run.accepted_scope?.missing_namespaces ?? []),
    ...(scope ? [...scope.namespaces_excluded, ...scope.namespaces_included] : []),
  ]
}

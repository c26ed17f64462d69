import type { Coverage } from '../contract/freshness.ts'
import type { ReceivedFreshness } from '../contract/received/cluster-report.ts'

/** The server's coverage. An older server returns none: then only the fixes that it reports count as security facts. */
export function toCoverage({ coverage, items }: ReceivedFreshness): Coverage {
  if (coverage) return coverage
  const artifacts = items.filter(({ artifact_type }) => artifact_type !== 'kubernetes')
  const projects = (all: typeof items) => new Set(all.flatMap(({ source_product_id: id }) => id ?? [])).size
  const days = artifacts.flatMap((item) => (item.source_product_id === null ? [] : (item.catalog_date ?? [])))
  return {
    artifacts: artifacts.length,
    known: artifacts.filter(({ status }) => status !== 'unknown').length,
    managed: artifacts.filter(({ vendor_component }) => vendor_component).length,
    security_known: projects(artifacts.filter((item) => (item.security_fixes_between ?? 0) > 0)),
    projects: projects(artifacts),
    catalog_at: days.sort()[0] ?? null,
    security_facts_at: null,
  }
}

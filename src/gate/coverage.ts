import type { Coverage } from '../contract/freshness.ts'
import type { ReceivedFreshness, ReceivedRun } from '../contract/received/cluster-report.ts'
import type { Policy } from './policy.ts'
import type { GateRule } from './rule.ts'
import { plural } from './rule-verdict.ts'

/** The server's count. An older server has none: then only the fixes that it reports count as security facts. */
export function coverageOf({ coverage, items }: ReceivedFreshness): Coverage {
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

/** What runs besides, nobody has looked at. */
export const unknownRunning = (gap: string): string => `Not all that runs is known. ${gap}`

type ArtifactRule = GateRule & { kind: 'major-behind' | 'security-behind' | 'eol' }

/** Why too little is known for a rule on artifacts to pass; undefined where enough is. */
export function findUnknown(
  { kind }: ArtifactRule,
  { run, freshness, policy }: { run: ReceivedRun; freshness: ReceivedFreshness; policy: Policy },
): string | undefined {
  const { artifacts: counts } = run
  if (counts && counts.images + counts.helm_charts + counts.apps === 0)
    return 'The run does not list the artifacts of the cluster'
  const [gap] = freshness.coverage?.gaps ?? []
  if (gap !== undefined) return unknownRunning(gap)
  const artifacts = freshness.items.filter(({ artifact_type }) => artifact_type !== 'kubernetes')
  if (!artifacts.some((item) => (kind === 'eol' ? item.eol : item.status !== 'unknown'))) {
    return `${kind === 'eol' ? 'The end of support' : 'The newest release'} is unknown for every artifact`
  }
  const { known, managed = 0, artifacts: all, projects, security_known } = coverageOf(freshness)
  // Only the vendor knows more about its components.
  const count = all - managed
  if (kind === 'security-behind' && security_known === 0) {
    const which = projects === 1 ? 'the project that runs' : `the ${projects} projects that run`
    return projects === 0
      ? 'The server does not report which projects have security facts'
      : `The catalog has no security facts for ${which}`
  }
  const { minCoverage } = policy
  if (minCoverage === undefined || known >= minCoverage * count) return undefined
  const own = managed > 0 ? `, ${managed} managed` : ''
  return `${known} of ${plural(count, 'artifact')} known${own}; min_coverage is ${percent(minCoverage)}`
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))}%`
}

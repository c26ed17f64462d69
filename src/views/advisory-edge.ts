import type { Coverage } from '../contract/freshness.ts'

type AdvisoryCoverage = Pick<Coverage, 'artifacts' | 'advisories_known' | 'advisory_facts_at'>

/** Limits of an answer without advisories, in one or two sentences. */
export function advisoryEdge(coverage: Partial<AdvisoryCoverage> | null | undefined) {
  const { artifacts, advisories_known: known, advisory_facts_at: day } = coverage ?? {}
  const scope = "Advisories are about the projects' own releases, not about packages inside images"
  if (artifacts === undefined || known === undefined) return `${scope}.`
  return `${scope}; they are known for ${known} of ${artifacts} artifacts${day ? `, as of ${day}` : ''}.`
}

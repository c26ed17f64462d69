import type { FreshnessCandidate } from '../contract/freshness.ts'
import type { KnownProject } from './catalog-view.ts'

/** The matched project, and every project that was considered. */
export interface Match {
  project: KnownProject | undefined
  /** Confidence in the match, 0 to 1. */
  confidence: number
  /** One sentence without its period. */
  reason: string
  candidates: FreshnessCandidate[]
}

/** A project that the artifact may belong to; rejected if `confidence` is 0. */
export interface Claim {
  project: KnownProject
  confidence: number
  /** One sentence without its period. */
  reason: string
}

export function taken(claim: Claim, claims: Claim[], by: FreshnessCandidate['matched_by']): Match {
  return { ...claim, candidates: claims.map((each) => candidate(each === claim ? each : refused(each), by)) }
}

export function noMatch(reason: string, claims: Claim[] = [], by: FreshnessCandidate['matched_by'] = 'name'): Match {
  return { project: undefined, confidence: 0, reason, candidates: claims.map((each) => candidate(refused(each), by)) }
}

function refused(claim: Claim): Claim {
  return { ...claim, confidence: 0 }
}

function candidate({ project, confidence, reason }: Claim, by: FreshnessCandidate['matched_by']): FreshnessCandidate {
  const isTaken = confidence > 0
  return {
    product_id: project.id,
    name: project.name,
    matched_by: by,
    taken: isTaken,
    confidence,
    reason: `${reason}.`,
  }
}

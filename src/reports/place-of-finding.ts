import type { FindingOccurrence } from '../contract/finding.ts'

/** Where an exception of a finding applies by default: of the clusters that have it, or had it, the one that was scanned last. */
export function placeOfFinding(clusters: readonly FindingOccurrence[]) {
  const [first] = clusters.toSorted((a, b) => rank(b).localeCompare(rank(a)))
  return first && { cluster_name: first.cluster_name, environment: first.environment }
}

const rank = ({ state, last_seen_at }: FindingOccurrence) =>
  `${state === 'resolved' || state === 'unknown' ? 0 : 1} ${last_seen_at}`

import type { ReceivedFreshness, ReceivedFreshnessItem, ReceivedRun } from '../contract/received/cluster-report.ts'

import type { Exceptions } from './exception.ts'
import type { Gap } from './gap.ts'
import { nodesGap, supportedNodeParts } from './judge-nodes.ts'
import { notCollected, type Reason } from './reason.ts'
import type { StateRuleKind } from './rule.ts'

export type ArtifactRuleKind =
  | 'major-behind'
  | 'security-behind'
  | 'affected'
  | 'fixable'
  | 'exploited'
  | 'eol'
  | StateRuleKind

/** The facts about an artifact that decide a rule. */
interface DecidingFacts {
  /** As the policy's key `undecided` names them. */
  noun: 'releases' | 'security facts' | 'advisories' | 'ends of support' | 'projects'
  /** A chart's version has no release cycle and no advisories. */
  isOfCharts: boolean
  has(item: ReceivedFreshnessItem, freshness: ReceivedFreshness): boolean
}

const advisories: DecidingFacts = {
  noun: 'advisories',
  isOfCharts: false,
  has: ({ advisories_count }) => advisories_count !== null,
}

const projects: DecidingFacts = {
  noun: 'projects',
  isOfCharts: true,
  has: ({ source_product_id }) => source_product_id !== null,
}

const factsFor: Record<ArtifactRuleKind, DecidingFacts> = {
  'major-behind': { noun: 'releases', isOfCharts: true, has: isCompared },
  'security-behind': {
    noun: 'security facts',
    isOfCharts: true,
    has: (item, freshness) => isCompared(item) && (item.security_facts ?? isSecurityImplied(item, freshness)),
  },
  affected: advisories,
  fixable: advisories,
  exploited: advisories,
  retired: projects,
  withdrawn: projects,
  frozen: projects,
  eol: { noun: 'ends of support', isOfCharts: false, has: ({ eol }) => eol != null },
}

function isCompared({ status }: ReceivedFreshnessItem): boolean {
  return status !== 'unknown'
}

/** For a server that does not return it for each artifact. */
function isSecurityImplied(
  { security_fixes_between }: ReceivedFreshnessItem,
  { coverage }: ReceivedFreshness,
): boolean {
  const isOfAll = coverage !== undefined && coverage.projects > 0 && coverage.security_known >= coverage.projects
  return isOfAll || (security_fixes_between ?? 0) > 0
}

/** The data that decides rules on artifacts. */
export interface ArtifactEvidence {
  run: ReceivedRun
  freshness: ReceivedFreshness
  exceptions: Exceptions
}

export interface FoundFacts {
  /** Number of artifacts with the facts. */
  known: number
  /** Why the rule cannot pass; undefined if enough is known. */
  gap?: Pick<Gap, 'part' | 'reason'> | undefined
  /** Number of artifacts without the facts, as a note; empty if all have them. */
  notes: Reason[]
}

/**
 * Counts the artifacts with the facts that decide the rule. Excludes Kubernetes, and components of a managed offering, which
 * only their vendor knows.
 */
export function findFacts(kind: ArtifactRuleKind, { run, freshness }: ArtifactEvidence): FoundFacts {
  const { noun, isOfCharts, has } = factsFor[kind]
  const counts = run.artifacts
  if (counts && counts.images + counts.helm_charts + counts.apps === 0) {
    return { known: 0, gap: { part: 'inventory', reason: { code: 'no_artifacts' } }, notes: [] }
  }
  const own = freshness.items.filter(
    ({ artifact_type: type, vendor_component }) =>
      type !== 'kubernetes' && (isOfCharts || type !== 'helm_chart') && !vendor_component,
  )
  const parts = kind === 'eol' ? supportedNodeParts(freshness) : []

  const known = own.filter((item) => has(item, freshness)).length + parts.filter(({ eol }) => eol).length
  const [unread] = freshness.coverage?.gaps ?? []
  if (unread !== undefined) return { known, gap: { part: 'inventory', reason: notCollected(unread) }, notes: [] }
  const gap = kind === 'eol' ? nodesGap(freshness) : undefined
  if (gap !== undefined) return { known, gap: { part: 'nodes', reason: gap }, notes: [] }
  const share: Reason = { code: 'known_share', noun, known, artifacts: own.length, nodes: parts.length }
  const isPartial = known < own.length + parts.length
  return { known, gap: known === 0 ? { part: noun, reason: share } : undefined, notes: isPartial ? [share] : [] }
}

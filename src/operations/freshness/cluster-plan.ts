import type { UpgradeReason } from '../../contract/upgrade.ts'
import { ReltError } from '../../errors.ts'
import { type AssessedItem, assessArtifacts } from '../../freshness/index.ts'
import { offeringFor } from '../../lifecycle/offering.ts'
import type { Artifacts } from '../../reports/artifact.ts'
import { usersIn } from '../../upgrade/api-users.ts'
import { knownNodes } from '../../upgrade/node-hops.ts'
import type { PlanPart } from '../../upgrade/part.ts'
import { type OwnersOf, toParts } from '../../upgrade/parts.ts'
import { makePlan } from '../../upgrade/plan.ts'
import { count } from '../../util/words.ts'
import type { PlanFacts } from './plan-knowledge.ts'
import { clusterPart } from './upgrade-check.ts'
import { toTarget } from './upgrade-target.ts'

interface Running {
  artifacts: Artifacts
  /** Assessments, if already computed. */
  items?: AssessedItem[]
  provider: string | null
  to: string | undefined
  /** Slugs of the projects to plan for; undefined: all running ones. */
  projects?: readonly string[] | undefined
  ownersFor?: OwnersOf
}

/**
 * The upgrade plan for a cluster, and its number of artifacts, including unknown ones. Throws `not_found` if a named project
 * does not run in it.
 */
export function planCluster(running: Running, known: PlanFacts) {
  const { artifacts, items = assessArtifacts(artifacts, known.catalog), provider, to, projects, ownersFor } = running
  const { parts: all, ...counts } = toParts(items, known, ownersFor)
  const parts = projects ? named(all, projects) : all
  const kubernetes = artifacts.kubernetesVersion
  const offering = offeringFor(kubernetes, provider)
  const target = toTarget(to, { kubernetes, offering }, known)
  const plan = makePlan(
    {
      kubernetes,
      parts,
      to: target,
      cluster: clusterPart({ kubernetes, offering }, known),
      offering,
      reasons: projects ? [] : inventoryReasons(items, counts.unknown, artifacts.gaps ?? []),
      usersFor: usersIn(artifacts.apis),
      nodes: knownNodes(artifacts.nodes),
      isOfCluster: true,
    },
    known,
  )
  return { plan, counts, artifacts: items.length }
}

function named(parts: PlanPart[], projects: readonly string[]) {
  const missing = projects.find((slug) => !parts.some((part) => part.slug === slug))
  if (missing === undefined) return parts.filter(({ slug }) => projects.includes(slug))
  const slugs = [...new Set(parts.map(({ slug }) => slug))].slice(0, 20).join(', ')
  throw new ReltError('not_found', `${missing} is no part of the cluster that is close to Kubernetes.`, {
    hint: slugs === '' ? 'The report names no such part.' : `Parts: ${slugs}.`,
  })
}

function inventoryReasons(items: AssessedItem[], unknown: number, gaps: readonly string[]): UpgradeReason[] {
  const about = { project_slug: null }
  // The Kubernetes version alone is no inventory.
  if (items.every(({ type }) => type === 'kubernetes'))
    return [{ word: 'undetermined', ...about, says: 'The report lists nothing that runs.' }]
  const unknownText = `${count(unknown, 'artifact')} ${unknown === 1 ? 'is' : 'are'} of no project that the catalog knows.`
  return [
    ...gaps.map((says): UpgradeReason => ({ word: 'not_stated', ...about, says })),
    ...(unknown === 0 ? [] : [{ word: 'not_stated' as const, ...about, says: unknownText }]),
  ]
}

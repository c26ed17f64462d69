import {
  type AssessedItem,
  assessVersion,
  type CatalogFacts,
  countedDay,
  type NamedVersion,
  readNamed,
  stepToWanted,
  whyNotWanted,
} from '../freshness/index.ts'
import { workloadsFor } from '../freshness/workloads.ts'
import { isCoupled } from './coupled.ts'
import type { UpgradeFacts } from './facts.ts'
import type { PartStep, PlanPart } from './part.ts'

/** Projects whose ranges are about chart versions. */
export const chartVersioned: readonly string[] = ['kube-prometheus-stack', 'kubescape']

/**
 * Whether ranges, which are about app versions, apply: some charts have those, such as cert-manager's; Velero's has its own.
 */
export function hasAppVersion({ type, match, current, releases }: AssessedItem) {
  if (type !== 'helm_chart' || chartVersioned.includes(match.project!.slug)) return current !== undefined
  return current !== undefined && releases?.list.hasAppVersions === true
}

export interface PartKnowledge {
  catalog: CatalogFacts
  facts: UpgradeFacts
}

/** Converts an assessed artifact of a known project to a part of a plan. */
export function toPart(item: AssessedItem, known: PartKnowledge): PlanPart {
  const project = item.match.project!
  const { type, place, currentVersion } = item
  return {
    identity: JSON.stringify([
      type,
      project.slug,
      place.repository,
      place.chart ?? item.installedBy?.name,
      currentVersion,
    ]),
    slug: project.slug,
    name: project.name,
    version: item.currentVersion,
    numbers: item.current,
    isCoupled: isCoupled(project.slug, known.facts),
    workloads: workloadsFor(item),
    states: item.states.reasons.map((reason) => reason),
    support: item.support,
    knownUntil: countedDay(item),
    ...(item.verdict.status === 'unknown' && !item.verdict.isAhead && { unmeasured: item.verdict.evidence }),
    hasRelease: (isWanted) => item.releases?.list.all.some(({ version }) => isWanted(version)) === true,
    stepTo(isWanted) {
      const found = stepToWanted(item, isWanted)
      if (!found) return undefined
      const { step, support, release: numbers, stops } = found
      const then = (charts?: readonly string[]): PlanPart => {
        const next = { project, version: step.version, chart: item.type === 'helm_chart' ? item.chart : undefined }
        return partAfter(next, { workloads: workloadsFor(item), ...(charts && { charts }) }, known)
      }
      const { version, via, because, fixes } = step
      return { version, numbers, via, stops, notes: because, fixes, support, then } satisfies PartStep
    },
    whyNotTo: (isWanted) => whyNotWanted(item, isWanted),
  }
}

/** The part after a step. Assessed lazily, because only its numbers are needed for the last step. */
function partAfter(next: NamedVersion, own: Pick<PlanPart, 'workloads' | 'charts'>, known: PartKnowledge): PlanPart {
  let found: PlanPart | undefined
  const assessed = () => {
    found ??= toPart(assessVersion(next, known.catalog), known)
    return found
  }
  const { slug, name } = next.project
  return {
    ...own,
    slug,
    name,
    version: next.version,
    isCoupled: isCoupled(slug, known.facts),
    numbers: readNamed(next, known.catalog),
    get identity() {
      return assessed().identity
    },
    get states() {
      return assessed().states
    },
    get support() {
      return assessed().support
    },
    hasRelease: (isWanted) => assessed().hasRelease(isWanted),
    stepTo: (isWanted) => assessed().stepTo(isWanted),
    whyNotTo: (isWanted) => assessed().whyNotTo(isWanted),
  }
}

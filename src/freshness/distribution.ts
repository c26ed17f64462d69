import { distributionIds, offeringTitle } from '../lifecycle/offering.ts'
import type { AssessedItem } from './assessed.ts'
import type { CatalogFacts } from './prepare-catalog.ts'
import type { DatedRelease } from './releases.ts'
import type { AssessmentSubject } from './subject.ts'

/** The project that publishes an offering's Kubernetes releases; undefined if the catalog lists none of them. */
export function distributionFor(offering: string | undefined, { index, book }: CatalogFacts) {
  if (offering === undefined || !distributionIds.includes(offering)) return undefined
  return index.bySlug(offering).find((project) => book.app(project).stable.length > 0)
}

/** A cluster can only be upgraded to releases of its own distribution. */
export function withDistribution(subject: AssessmentSubject, known: CatalogFacts) {
  const project = subject.type === 'kubernetes' ? distributionFor(subject.offering, known) : undefined
  if (!project) return subject
  return { ...subject, releases: { of: project.name, list: known.book.app(project), by: project } }
}

/** Offerings with patches of their own, which are based on a release of Kubernetes. */
const patching: readonly string[] = ['ack', 'aks', 'eks', 'eks-distro', 'gke', 'iks', 'k0s', 'k3s', 'openshift', 'rke2']

/** Remarks about a Kubernetes release that an offering cannot run unchanged. */
export function patchNotes({ version }: DatedRelease, { type, offering, releases }: AssessedItem) {
  if (type !== 'kubernetes' || offering === undefined || releases?.by || !patching.includes(offering)) return []
  const name = offeringTitle(offering)
  return [
    `${version.text} is a release of Kubernetes; ${name} publishes patches of its own, which the catalog does not list.`,
  ]
}

import { offeringFor, offeringTitle } from '../lifecycle/offering.ts'
import type { Artifacts } from '../reports/artifact.ts'
import type { AssessedChart } from './assess-charts.ts'
import type { AssessedImage } from './assess-images.ts'
import type { AssessedItem, ManagedBy } from './assessed.ts'
import { findManaged } from './managed.ts'
import type { ManagedRepository } from './managed-facts.ts'
import type { CatalogFacts } from './prepare-catalog.ts'
import { noFoundSteps } from './steps/steps-of-subject.ts'
import { unknownVerdict } from './verdict.ts'

/** Marks artifacts that an offering runs itself, which are upgraded with the cluster. */
export function markManaged(
  images: AssessedImage[],
  { kubernetesVersion, provider }: Artifacts,
  known: CatalogFacts,
): AssessedItem[] {
  const facts = known.managed
  if (!facts) return images
  const found = images.map((image) => ({ image, managed: findManaged(image.repository, known) }))
  const cluster = offeringFor(kubernetesVersion, provider) ?? offeringByComponents()
  return found.map(({ image, managed }) => {
    const offering = managed && runnerFor(image, managed)
    return offering === undefined ? image : manage(image, { offering, isOwn: managed!.isOwn }, known)
  })

  /** If the cluster's version names no offering: the only one whose components run there. */
  function offeringByComponents() {
    const offerings = found.flatMap(({ image, managed }) => {
      const [only, ...others] = managed?.isExclusive ? managed.offerings : []
      return only !== undefined && others.length === 0 && isInNamespaceOf(only, image) ? [only] : []
    })
    return new Set(offerings).size === 1 ? offerings[0] : undefined
  }

  function runnerFor(image: AssessedImage, { offerings, isExclusive }: ManagedRepository) {
    const offering = offerings.find((id) => id === cluster) ?? (isExclusive ? offerings[0] : undefined)
    if (offering === undefined) return undefined
    if (isInNamespaceOf(offering, image)) return offering
    return isExclusive && image.artifacts.every(({ helmChart }) => helmChart === null) ? offering : undefined
  }

  function isInNamespaceOf(offering: string, { artifacts }: AssessedImage) {
    const has = facts!.offerings.get(offering)?.hasNamespace
    return artifacts.every(({ namespace }) => namespace !== null && has?.(namespace))
  }
}

/** Charts of an offering are named after it, and installed in its namespaces. */
export function markManagedCharts(charts: AssessedChart[], known: CatalogFacts): AssessedItem[] {
  const offerings = [...(known.managed?.offerings ?? [])]
  return charts.map((chart) => {
    const { name } = chart.artifacts[0]!
    const isPlaced = (has: (namespace: string) => boolean) =>
      chart.artifacts.every(({ namespace }) => namespace === null || has(namespace))
    const found = offerings.find(([, { hasChart, hasNamespace }]) => hasChart(name) && isPlaced(hasNamespace))
    return found ? manage(chart, { offering: found[0], isOwn: true }, known) : chart
  })
}

/** The vendor upgrades it. A component of its own is not compared, even if the project's releases are known. */
function manage(image: AssessedItem, { offering, isOwn }: ManagedBy, known: CatalogFacts): AssessedItem {
  const { installedBy: _, ...own } = image
  const { verdict } = image
  return {
    ...own,
    managedBy: { offering, isOwn, advice: known.managed?.offerings.get(offering)?.advice },
    isInherited: false,
    steps: { ...noFoundSteps, because: ["it comes with the cluster's upgrade"] },
    verdict: isOwn
      ? { ...unknownVerdict(`it is a component of ${offeringTitle(offering)} itself`), newer: verdict.newer }
      : verdict,
  }
}

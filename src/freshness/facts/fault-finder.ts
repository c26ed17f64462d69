import { remember } from '../../util/remember.ts'
import type { CatalogFacts } from '../prepare-catalog.ts'
import { type ReleaseList, withFaults } from '../releases.ts'
import type { StepPlace } from '../steps/place.ts'
import type { AssessmentSubject } from '../subject.ts'
import type { FindFault } from './release-faults.ts'

/** Finds why a version of an artifact is faulty: by faults of its image, its chart or its project. */
export function faultFinder(
  { type, match, chart, currentVersion }: AssessmentSubject,
  place: StepPlace,
  known: CatalogFacts,
) {
  const { facts } = known
  if (type === 'helm_chart') return combined([chart === undefined ? undefined : facts.faultsOfChart(chart)])
  return combined([
    ...imageFaults(place, known),
    ...(type === 'kubernetes' ? [distributionFaults(currentVersion, known)] : []),
    match.project && facts.faultsOfProject(match.project.slug),
  ])
}

/** The releases of a project with faults of one of its images, which do not affect its other images. */
export function releasesOfImage(list: ReleaseList, place: StepPlace, known: CatalogFacts) {
  const finders = imageFaults(place, known)
  const [first, ...others] = finders
  if (!first) return list
  const find = combined(finders)
  const mark = () => withFaults(list, ({ version }) => find(version.text, version))
  if (others.length > 0) return mark()
  return remember(
    remember(listsByFaults, list, () => new Map<FindFault, ReleaseList>()),
    first,
    mark,
  )
}

/** Cached, because one repository runs with many tags. */
const listsByFaults = new WeakMap<ReleaseList, Map<FindFault, ReleaseList>>()

/** Faults of the running repository, of those it may be a copy of, and of the target repository of a step. */
function imageFaults({ repositories, repository }: StepPlace, { facts }: CatalogFacts) {
  const places = new Set(repository === undefined ? repositories : [...repositories, repository])
  return [...new Set([...places].flatMap((one) => facts.faultsOfImage(one) ?? []))]
}

/** Faults of the distribution named in a Kubernetes version, such as `v1.26.0+rke2r1`. */
function distributionFaults(running: string | null, { facts }: CatalogFacts) {
  const distribution = /\+(k3s|rke2)/.exec(running ?? '')?.[1]
  return distribution === undefined ? undefined : facts.faultsOfProject(distribution)
}

function combined(finders: readonly (FindFault | undefined)[]): FindFault {
  const known = finders.filter((find) => find !== undefined)
  return (tag, version) => {
    for (const find of known) {
      const fault = find(tag, version)
      if (fault) return fault
    }
    return undefined
  }
}

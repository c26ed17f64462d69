import { offeringFor } from '../lifecycle/offering.ts'
import type { Artifacts } from '../reports/artifact.ts'
import { assess } from './assess.ts'
import type { AssessedItem } from './assessed.ts'
import { noMatch, taken } from './match.ts'
import { PerCatalog } from './per-catalog.ts'
import type { CatalogFacts } from './prepare-catalog.ts'
import { parseVersion } from './versions.ts'

const sureness = 0.98

const versions = new PerCatalog<AssessedItem>()

/**
 * Kubernetes itself, if the scan has its version. Suffixes of vendors (`-gke.2700`, `+k3s1`) determine whose support
 * applies, and are otherwise ignored.
 */
export function assessKubernetes({ kubernetesVersion: version, provider }: Artifacts, known: CatalogFacts) {
  return version === null ? [] : [kubernetesAt(version, provider, known)]
}

/** A Kubernetes version with its offering, which the version or the provider names. */
export function kubernetesAt(version: string, provider: string | null | undefined, known: CatalogFacts) {
  const offering = offeringFor(version, provider)
  return versions.find(known, `${offering ?? ''} ${version}`, () => {
    const [project] = known.index.bySlug('kubernetes')
    const claim = project && { project, confidence: sureness, reason: 'The cluster reports its version' }
    const list = project && known.book.app(project)
    return assess(
      {
        type: 'kubernetes',
        key: `kubernetes@${version}`,
        name: `Kubernetes ${version}`,
        shortName: 'Kubernetes',
        source: 'metadata',
        places: [],
        match: claim ? taken(claim, [claim], 'name') : noMatch('The catalog does not know Kubernetes'),
        currentVersion: version,
        offering,
        current: parseVersion(version),
        unreadable: `${version} is not a version`,
        releases: list && { of: project.name, list },
      },
      known,
    )
  })
}

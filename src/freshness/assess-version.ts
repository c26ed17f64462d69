import { assess } from './assess.ts'
import { kubernetesAt } from './assess-kubernetes.ts'
import type { AssessedItem } from './assessed.ts'
import type { KnownProject } from './catalog-view.ts'
import { taken } from './match.ts'
import type { CatalogFacts } from './prepare-catalog.ts'
import { parseVersion, type Version } from './versions.ts'

export interface NamedVersion {
  project: KnownProject
  version: string
  /** The version is that of this chart of the project. */
  chart?: string | undefined
  /** For Kubernetes: the provider, if the version does not name the offering. */
  provider?: string | undefined
}

/** The version, parsed like the project's tags; undefined if it is not a version. */
export function readNamed({ project, version, chart }: NamedVersion, { book }: CatalogFacts): Version | undefined {
  return parseVersion(version, chart === undefined ? book.tagPattern(project) : undefined)
}

/** Assesses a version of a project independent of where it runs. */
export function assessVersion(named: NamedVersion, known: CatalogFacts): AssessedItem {
  const { project, version, chart, provider } = named
  if (project.slug === 'kubernetes') return kubernetesAt(version, provider, known)
  const claim = { project, confidence: 1, reason: 'The project is named' }
  const list = chart === undefined ? known.book.app(project) : known.book.chart(project, chart)
  return assess(
    {
      type: chart === undefined ? 'app' : 'helm_chart',
      key: `${project.slug}@${version}`,
      name: `${project.name} ${version}`,
      shortName: project.name,
      source: 'metadata',
      places: [],
      match: taken(claim, [claim], 'name'),
      ...(chart !== undefined && { chart }),
      currentVersion: version,
      current: readNamed(named, known),
      unreadable: `${version} is not a version`,
      releases: { of: chart === undefined ? project.name : `the chart ${chart}`, list },
    },
    known,
  )
}

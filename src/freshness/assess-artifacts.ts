import { offeringFor } from '../lifecycle/offering.ts'
import type { Artifacts } from '../reports/artifact.ts'
import { withOwners } from '../reports/owners.ts'
import { assess } from './assess.ts'
import { assessApps } from './assess-apps.ts'
import { type AssessedChart, assessCharts } from './assess-charts.ts'
import { type AssessedImage, assessImages } from './assess-images.ts'
import { markDrifted } from './assess-wanted.ts'
import type { AssessedItem } from './assessed.ts'
import { markManaged, markManagedCharts } from './mark-managed.ts'
import { noMatch, taken } from './match.ts'
import { PerCatalog } from './per-catalog.ts'
import type { CatalogFacts } from './prepare-catalog.ts'
import { parseVersion } from './versions.ts'

/** All artifacts of one cluster, each with its project and verdict. */
export function assessArtifacts(reported: Artifacts, known: CatalogFacts): AssessedItem[] {
  const artifacts = withOwners(reported)
  const images = assessImages(artifacts, known)
  const charts = markDrifted(assessCharts(artifacts, images, known), artifacts)
  const apps = assessApps(artifacts, { images, charts }, known)
  return [
    ...markManaged(inheritFromCharts(images, charts), artifacts, known),
    ...markManagedCharts(charts, known),
    ...apps,
    ...assessKubernetes(artifacts, known),
  ]
}

const sureness = 0.98

const versions = new PerCatalog<AssessedItem>()

/**
 * Kubernetes itself, if the scan has its version. Suffixes of vendors (`-gke.2700`, `+k3s1`) determine whose support
 * applies, and are otherwise ignored.
 */
function assessKubernetes(
  { kubernetesVersion: version, provider }: Pick<Artifacts, 'kubernetesVersion' | 'provider'>,
  known: CatalogFacts,
): AssessedItem[] {
  if (version === null) return []
  return [kubernetesAt(version, provider, known)]
}

/** A Kubernetes version with its offering, which the version or the provider names. */
export function kubernetesAt(version: string, provider: string | null | undefined, known: CatalogFacts): AssessedItem {
  const offering = offeringFor(version, provider)
  return versions.find(known, `${offering ?? ''} ${version}`, () => assessVersionFor(version, offering, known))
}

function assessVersionFor(version: string, offering: string | undefined, known: CatalogFacts): AssessedItem {
  const [project] = known.index.bySlug('kubernetes')
  const reason = 'The cluster reports its version'
  const claim = project && { project, confidence: sureness, reason }
  const list = project && known.book.app(project)
  const subject = {
    type: 'kubernetes' as const,
    key: `kubernetes@${version}`,
    name: `Kubernetes ${version}`,
    shortName: 'Kubernetes',
    source: 'metadata' as const,
    places: [],
    match: claim ? taken(claim, [claim], 'name') : noMatch('The catalog does not know Kubernetes'),
    currentVersion: version,
    offering,
    current: parseVersion(version),
    unreadable: `${version} is not a version`,
    releases: list && { of: project.name, list },
  }
  return assess(subject, known)
}

/** An image that a chart installs is upgraded with the chart; otherwise the chart's next rollout reverts it. */
function inheritFromCharts(images: AssessedImage[], charts: AssessedChart[]): AssessedImage[] {
  if (charts.length === 0) return images
  const bringers = indexCharts(charts)
  return images.map((image) => {
    const chart = bringerFor(image, bringers)
    if (!chart) return image
    const installedBy = { name: chart.artifacts[0]!.name, status: chart.verdict.status }
    return { ...image, installedBy, isInherited: true }
  })
}

/**
 * Looks up by chart and place, or by chart alone if the report names another place; of several charts, the one to upgrade.
 */
function bringerFor({ artifacts }: AssessedImage, bringers: Map<string, AssessedChart>): AssessedChart | undefined {
  const found = artifacts.flatMap(({ helmChart, helmRelease, namespace }) => {
    if (helmChart === null) return []
    return bringers.get(placeKey(helmChart, helmRelease, namespace)) ?? bringers.get(helmChart) ?? []
  })
  return found.reduce<AssessedChart | undefined>(toUpgrade, undefined)
}

function indexCharts(charts: AssessedChart[]): Map<string, AssessedChart> {
  const index = new Map<string, AssessedChart>()
  for (const chart of charts) {
    for (const { name, version, release, namespace } of chart.artifacts) {
      for (const called of [name, `${name}-${version}`]) {
        for (const key of [called, placeKey(called, release, namespace)]) {
          index.set(key, toUpgrade(index.get(key), chart))
        }
      }
    }
  }
  return index
}

const placeKey = (...parts: (string | null)[]) => parts.join(' ')

/** Prefers outdated charts, then unknown ones, then up-to-date ones. */
function toUpgrade(one: AssessedChart | undefined, other: AssessedChart): AssessedChart {
  return one && urgency(one) >= urgency(other) ? one : other
}

function urgency({ verdict: { status } }: AssessedChart): number {
  return status === 'up_to_date' ? 0 : status === 'unknown' ? 1 : 2
}

import type { KnownProject } from './catalog-view.ts'
import { distinctiveWords, isGenericName } from './image-names.ts'
import { type Match, noMatch, taken } from './match.ts'
import type { CatalogFacts } from './prepare-catalog.ts'
import type { ReleaseList } from './releases.ts'
import { parseVersion, type Version } from './versions.ts'

/** A chart, with facts about where it is installed. */
export interface InstalledChart {
  name: string
  version: string
  /** Its Helm releases and their namespaces. */
  places: string[]
  /** Known URLs from which it is installed. */
  repositories: string[]
  /** Images that it installed: the matched project of each, and its repository. */
  images: { project: KnownProject | undefined; repository: string }[]
}

/**
 * Chart names are not unique, so a name counts only if the version fits the known line of the chart, and the images
 * installed with it are the project's own.
 */
export function matchChart(chart: InstalledChart, { index, book }: CatalogFacts): Match {
  const claims = index
    .byChart(chart.name)
    .map((project) => toClaim(chart, project, book.chart(project, chart.name)))
    .sort((a, b) => b.confidence - a.confidence)
  const [best, second] = claims
  if (best && best.confidence > (second?.confidence ?? 0)) return taken(best, claims, 'chart')
  return noMatch(best?.reason ?? `No catalog project has a chart called ${chart.name}`, claims, 'chart')
}

function toClaim(chart: InstalledChart, project: KnownProject, list: ReleaseList) {
  const version = parseVersion(chart.version)
  const own = chart.images.filter((image) => image.project === project)
  const claim = (confidence: number, why: string) => ({
    project,
    confidence,
    reason: `${chart.name} is a chart of ${project.name}${why}`,
  })
  const isGeneric = isGenericName(chart.name)
  if (isGeneric && own.length === 0 && !isPlaceOf(project, chart) && !isFromOwn(chart, project)) {
    return claim(0, ', but the name alone does not identify its publisher')
  }
  if (isRepackaged(own, project)) return claim(0, ', but the images with it come from another publisher of charts')
  if (isFromAnother(chart.repositories, project)) return claim(0, ', but it comes from another publisher of charts')
  if (!version) return claim(0, ', but its version cannot be read')
  const place = placeOnLine(list, version)
  if (place === 'outside') return claim(0, `, but ${version.text} lies far outside its known versions`)
  const byVersion = { none: 0.6, near: 0.6, inside: 0.9, listed: 0.95 }[place] * (isGeneric ? 0.8 : 1)
  if (own.length > 0) return claim(Math.min(0.95, byVersion + 0.2), ' and its images came with it')
  if (chart.images.length > 0 && project.imageRepositories.length > 0) {
    return claim(byVersion * 0.7, ', though none of its images came with it')
  }
  return claim(byVersion, place === 'near' ? ', though the catalog has only other versions of it' : '')
}

/** Position of the first number among those of the known chart releases, of which only the last are stored. */
function placeOnLine({ all }: ReleaseList, version: Version) {
  if (all.length === 0) return 'none'
  if (all.some((release) => release.version.core === version.core)) return 'listed'
  const firsts = all.map((release) => Number(release.version.segments[0]))
  const [lowest, highest, first] = [Math.min(...firsts), Math.max(...firsts), Number(version.segments[0])]
  if (first >= lowest && first <= highest) return 'inside'
  const isBelow = first < lowest && first >= lowest - Math.max(3, lowest * 0.7)
  const isAbove = first > highest && first <= highest + Math.max(1, highest * 0.1)
  return isBelow || isAbove ? 'near' : 'outside'
}

/** Bitnami packages many projects under their own chart names, with images that it builds. */
function isRepackaged(own: InstalledChart['images'], { helmChartRepo }: KnownProject) {
  if (own.length === 0 || helmChartRepo === null || helmChartRepo.includes('bitnami')) return false
  return own.every(({ repository }) => /\/bitnami(?:legacy|secure)?\//.test(repository))
}

/** A mirror may have any URL, so only the URL of a publisher with own charts under others' names is evidence. */
function isFromAnother(repositories: string[], { helmChartRepo }: KnownProject) {
  if (repositories.length === 0 || helmChartRepo === null) return false
  return repositories.every((address) => isOfBitnami(address) !== isOfBitnami(helmChartRepo))
}

/** Whether it is installed from the project's own chart repository. */
const isFromOwn = ({ repositories }: InstalledChart, { helmChartRepo }: KnownProject) =>
  helmChartRepo !== null && repositories.includes(helmChartRepo)

const isOfBitnami = (address: string) => /\bbitnami(?!-labs)/i.test(address)

/** Whether a Helm release or namespace is named after the project: `istio-system`. */
function isPlaceOf(project: KnownProject, { places }: InstalledChart) {
  const words = new Set(places.flatMap((place) => [place, ...place.split(/[^a-z0-9]+/)]))
  return distinctiveWords(project).some((word) => words.has(word))
}

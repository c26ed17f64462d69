import type { AppArtifact, Artifacts } from '../reports/artifact.ts'
import { assess } from './assess.ts'
import type { AssessedChart } from './assess-charts.ts'
import type { AssessedImage } from './assess-images.ts'
import type { AssessedItem } from './assessed.ts'
import { lastSegment, toSlug } from './image-names.ts'
import type { Match } from './match.ts'
import { matchName } from './match-name.ts'
import type { CatalogFacts } from './prepare-catalog.ts'
import { parseVersion } from './versions.ts'

/** One for each app name and version, unless an image or chart in its namespace reports the same. */
export function assessApps(
  { apps }: Artifacts,
  { images, charts }: { images: AssessedImage[]; charts: AssessedChart[] },
  known: CatalogFacts,
): AssessedItem[] {
  if (apps.length === 0) return []
  const reported = [...images.map(reportOfImage), ...charts.map(reportOfChart)]
  return [...Map.groupBy(apps, ({ name, version }) => `${name}@${version}`)].flatMap(([key, all]) => {
    const [{ name, version }] = all as [AppArtifact]
    const match = matchName({
      projects: known.index.byName(toSlug(name)),
      versionFor: (project) => parseVersion(version, known.book.tagPattern(project)),
      refusal: undefined,
      subject: 'The app',
      nobody: `No catalog project is called ${name}`,
      book: known.book,
    })
    const missing = all.filter((app) => !isReported(app, match, reported))
    if (missing.length === 0) return []
    return [
      assess(
        {
          type: 'app',
          key,
          name: `${name} ${version}`,
          shortName: name,
          source: 'artifacts',
          places: missing.map(({ namespace }) => ({ namespace, workload: null })),
          match,
          currentVersion: version,
          current: parseVersion(version, match.project && known.book.tagPattern(match.project)),
          unreadable: `${version} is not a version`,
          releases: match.project && { of: match.project.name, list: known.book.app(match.project) },
        },
        known,
      ),
    ]
  })
}

interface ReportedArtifact {
  item: AssessedItem
  /** Names that an app of the same namespace may use for it. */
  names: Set<string>
}

function reportOfImage(item: AssessedImage): ReportedArtifact {
  const names = item.artifacts.flatMap(({ helmChart, helmRelease }) => [helmChart ?? '', helmRelease ?? ''])
  return { item, names: new Set([lastSegment(item.repository), ...names]) }
}

function reportOfChart(item: AssessedChart): ReportedArtifact {
  return { item, names: new Set(item.artifacts.flatMap(({ name, release }) => [name, release ?? ''])) }
}

function isReported({ name, namespace }: AppArtifact, { project }: Match, reported: ReportedArtifact[]) {
  return reported.some(({ item: { match, places }, names }) => {
    const isSame = names.has(name) || (project !== undefined && match.project === project)
    return isSame && (namespace === null || places.some((place) => place.namespace === namespace))
  })
}

import type { AppArtifact, Artifacts } from '../reports/artifact.ts'
import type { AssessedItem } from './assessed.ts'
import { slugOf } from './image-names.ts'
import { assess } from './item.ts'
import type { Match } from './match.ts'
import { matchName } from './match-name.ts'
import type { CatalogFacts } from './prepare-catalog.ts'
import { parseVersion } from './versions.ts'

/** One per app name and version, unless an image or a chart in its namespace reports the same. */
export function assessApps({ apps }: Artifacts, assessed: AssessedItem[], known: CatalogFacts): AssessedItem[] {
  return [...Map.groupBy(apps, ({ name, version }) => `${name}@${version}`)].flatMap(([key, all]) => {
    const [{ name, version }] = all as [AppArtifact]
    const match = matchName({
      projects: known.index.byName(slugOf(name)),
      versionFor: (project) => parseVersion(version, known.book.tagPattern(project)),
      refusal: undefined,
      subject: 'The app',
      nobody: `No catalog project is called ${name}`,
      book: known.book,
    })
    const missing = all.filter((app) => !isAssessed(app, match, assessed))
    if (missing.length === 0) return []
    const subject = {
      type: 'app' as const,
      key,
      name: `${name} ${version}`,
      source: 'artifacts' as const,
      places: missing.map(({ namespace }) => ({ namespace, workload: null })),
      calls: [],
      match,
      currentVersion: version,
      current: parseVersion(version, match.project && known.book.tagPattern(match.project)),
      unreadable: `${version} is no version`,
      releases: match.project && { of: match.project.name, list: known.book.app(match.project) },
    }
    return [assess(subject, known)]
  })
}

function isAssessed({ name, namespace }: AppArtifact, { project }: Match, assessed: AssessedItem[]): boolean {
  return assessed.some(({ match, calls, places }) => {
    const isSame = calls.includes(name) || (project !== undefined && match.project === project)
    return isSame && (namespace === null || places.some((place) => place.namespace === namespace))
  })
}

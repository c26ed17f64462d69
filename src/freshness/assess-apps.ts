import type { AppArtifact, Artifacts } from '../reports/artifact.ts'
import type { Assessed } from './assessed.ts'
import { slugOf } from './image-names.ts'
import { assess } from './item.ts'
import type { Match } from './match.ts'
import { matchName } from './match-name.ts'
import type { Known } from './prepare-catalog.ts'
import { parseVersion } from './versions.ts'

/** One for each app name and version, left out where an image or a chart of its namespace tells the same. */
export function assessApps({ apps }: Artifacts, told: Assessed[], known: Known): Assessed[] {
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
    const untold = all.filter((app) => !isTold(app, match, told))
    if (untold.length === 0) return []
    const subject = {
      type: 'app' as const,
      key,
      name: `${name} ${version}`,
      source: 'artifacts' as const,
      places: untold.map(({ namespace }) => ({ namespace, workload: null })),
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

function isTold({ name, namespace }: AppArtifact, { project }: Match, told: Assessed[]): boolean {
  return told.some(({ match, calls, places }) => {
    const isSame = calls.includes(name) || (project !== undefined && match.project === project)
    return isSame && (namespace === null || places.some((place) => place.namespace === namespace))
  })
}

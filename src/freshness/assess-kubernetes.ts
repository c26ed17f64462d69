import type { AssessedItem } from './assessed.ts'
import { assess } from './item.ts'
import { noMatch, taken } from './match.ts'
import type { CatalogFacts } from './prepare-catalog.ts'
import { recommendKubernetes, withSupport } from './recommendation.ts'
import { parseVersion } from './versions.ts'

const sureness = 0.98

/** Kubernetes itself, if the scan has its version. Suffixes of clouds (`-gke.2700`, `+k3s1`) are ignored. */
export function assessKubernetes(version: string | null, known: CatalogFacts): AssessedItem[] {
  if (version === null) return []
  const [project] = known.index.bySlug('kubernetes')
  const reason = 'The cluster reports its version'
  const claim = project && { project, confidence: sureness, reason }
  const list = project && known.book.app(project)
  const current = parseVersion(version)
  const subject = {
    type: 'kubernetes' as const,
    key: `kubernetes@${version}`,
    name: `Kubernetes ${version}`,
    source: 'metadata' as const,
    places: [],
    match: claim ? taken(claim, [claim], 'name') : noMatch('The catalog does not know Kubernetes'),
    currentVersion: version,
    current,
    unreadable: `${version} is not a version`,
    releases: list && { of: project.name, list },
  }
  const assessed = assess(subject, known)
  const isBehind = assessed.verdict.status.endsWith('_behind')
  if (!list || !current || !isBehind) return [assessed]
  const steps = recommendKubernetes(list, current, assessed.verdict)
  return [{ ...assessed, recommendation: withSupport(steps, assessed.support) }]
}

import type { SourceKind } from '../../contract/source-kind.ts'
import type { Db } from '../../db/open.ts'
import { listProjectFacts } from '../../store/catalog/project-facts.ts'
import type { StoredSource } from '../../store/catalog/source.ts'
import { timestampOrNull } from '../../util/time.ts'
import { listProjectSources, type SourceHosts } from './source.ts'
import type { SyncTimes } from './sync-times.ts'

/** Status of a source, with timestamps in wire format. */
export interface SourceStatus {
  project_id: number
  slug: string
  kind: SourceKind
  url: string
  /** `ok`: the last request succeeded. */
  health: 'ok' | 'absent' | 'unreachable' | 'limited' | 'never'
  reason: string | null
  retry_at: string | null
  looked_at: string | null
  /** Time of the last successful request. */
  answered_at: string | null
  /** The last day on which the project's releases were read; null without releases. */
  known_until: string | null
  /** Time of the last request with changes. */
  changed_at: string | null
}

/** Sorted by the day up to which the project's releases are known, then by the last answer; oldest first. */
export async function statusOfSources(
  db: Db,
  { projects, notes, ...hosts }: SourceHosts & { projects: string[]; notes: SyncTimes },
): Promise<SourceStatus[]> {
  const found = await listProjectSources(db, hosts, projects)
  const days = new Map((await listProjectFacts(db)).map(({ id, knownUntil }) => [id, knownUntil ?? null]))
  return found
    .map(({ project, source: { kind, url }, kept }) => {
      const known = kept && withNote(kept, notes.at(project.slug, kind))
      return { project_id: project.id, slug: project.slug, kind, url, known_until: days.get(project.id)!, known }
    })
    .toSorted((a, b) => (a.known?.answeredAt ?? 0) - (b.known?.answeredAt ?? 0))
    .sort((a, b) => (a.known_until ?? '').localeCompare(b.known_until ?? ''))
    .map(({ known, ...source }) => ({
      ...source,
      health: toHealth(known?.outcome),
      reason: known?.reason ?? null,
      retry_at: timestampOrNull(known?.retryAt),
      looked_at: timestampOrNull(known?.lookedAt),
      answered_at: timestampOrNull(known?.answeredAt),
      changed_at: timestampOrNull(known?.changedAt),
    }))
}

/** Applies the time of a later sync without changes. */
function withNote(source: StoredSource, at: number) {
  return at > source.lookedAt ? { ...source, lookedAt: at, answeredAt: at, retryAt: null } : source
}

function toHealth(outcome: StoredSource['outcome'] | 'never' = 'never') {
  return outcome === 'changed' || outcome === 'unchanged' ? 'ok' : outcome
}

import type { Db } from '../../db/open.ts'
import type { StoredSource, StoredSourceKind } from '../../store/catalog/source.ts'
import { timestampOrNull } from '../../util/time.ts'
import { listProjectSources, type SourceHosts } from './source.ts'
import type { SyncTimes } from './sync-times.ts'

/** Status of a source, with timestamps in wire format. */
export interface SourceStatus {
  project_id: number
  slug: string
  kind: StoredSourceKind
  url: string
  /** `ok`: the last request succeeded. */
  health: 'ok' | 'absent' | 'unreachable' | 'limited' | 'never'
  reason: string | null
  retry_at: string | null
  looked_at: string | null
  /** Time of the last successful request. */
  answered_at: string | null
  /** Time of the last request with changes. */
  changed_at: string | null
}

/** Sorted by the age of the last answer, oldest first. */
export async function statusOfSources(
  db: Db,
  { projects, notes, ...hosts }: SourceHosts & { projects: string[]; notes: SyncTimes },
): Promise<SourceStatus[]> {
  const found = await listProjectSources(db, hosts, projects)
  const all = found.map(({ project, source: { kind, url }, kept }) => ({
    ids: { project_id: project.id, slug: project.slug, kind, url },
    known: kept && withNote(kept, notes.at(project.slug, kind)),
  }))
  return all
    .toSorted((a, b) => (a.known?.answeredAt ?? 0) - (b.known?.answeredAt ?? 0))
    .map(({ ids, known }) => ({ ...ids, ...view(known) }))
}

/** Applies the time of a later sync without changes. */
function withNote(source: StoredSource, at: number) {
  return at > source.lookedAt ? { ...source, lookedAt: at, answeredAt: at, retryAt: null } : source
}

function view(source: StoredSource | undefined) {
  return {
    health: toHealth(source),
    reason: source?.reason ?? null,
    retry_at: timestampOrNull(source?.retryAt),
    looked_at: timestampOrNull(source?.lookedAt),
    answered_at: timestampOrNull(source?.answeredAt),
    changed_at: timestampOrNull(source?.changedAt),
  }
}

function toHealth(source: StoredSource | undefined): SourceStatus['health'] {
  if (!source) return 'never'
  return source.outcome === 'changed' || source.outcome === 'unchanged' ? 'ok' : source.outcome
}

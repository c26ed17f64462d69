import { sql } from 'kysely'
import type { ReleaseType } from '../../contract/project.ts'
import type { Severity } from '../../contract/shape.ts'
import { joinInOrder, jsonRows, textRows, toPosition } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import type { UnixSeconds } from '../../util/time.ts'

/** A release with the texts that a notification shows. */
export interface NotifiedRelease {
  id: number
  projectId: number
  projectName: string
  version: string
  type: ReleaseType
  publishedAt: UnixSeconds
  url: string
  /** Empty if not requested. */
  notes: string
  isSecurityFix: boolean
  severity: Severity
  advisories: string[]
  /** The release is faulty, so nobody should install it. */
  isFaulty: boolean
}

/** Releases by project, version and type; null: of any type. Deleted ones are missing. */
export async function findNotifiedReleases(
  db: Db,
  keys: { projectId: number; version: string; type: ReleaseType | null }[],
  { withNotes }: { withNotes: boolean },
): Promise<NotifiedRelease[]> {
  const wanted = JSON.stringify(keys.map(({ projectId, version, type }) => [projectId, version, type]))
  const { rows } = await sql<Row>`
    select distinct ${columns(withNotes)}
    from ${jsonRows(wanted, 'wanted')}
      ${joinInOrder()} release on release.project_id = cast(wanted.value ->> 0 as bigint) and release.version = wanted.value ->> 1
        and release.type = coalesce(wanted.value ->> 2, release.type)
      join project on project.id = release.project_id`.execute(db)
  return rows.map(toRelease)
}

interface Window {
  userId: number
  frequency: 'daily' | 'weekly'
  from: UnixSeconds
  to: UnixSeconds
}

/** Releases published in a window, of active subscriptions with that frequency, the newest first. */
export async function listDigestReleases(db: Db, { userId, frequency, from, to }: Window): Promise<NotifiedRelease[]> {
  const { rows } = await sql<Row>`
    select ${columns(false)}
    from subscription
      cross join ${textRows(['app', 'helm', 'pre'], 'wanted')}
      ${joinInOrder()} release on release.project_id = subscription.project_id and release.type = wanted.value
      join project on project.id = release.project_id
    where subscription.user_id = ${userId} and release.published_at between ${from} and ${to} and release.fault is null
      and ${toPosition(sql`',' || wanted.value || ','`, sql`',' || release_types_filter || ','`)} > 0
      and email_frequency = ${frequency} and email_enabled = 1 and notifications_paused = 0
    order by release.published_at desc, release.id desc`.execute(db)
  return rows.map(toRelease)
}

const columns = (
  withNotes: boolean,
) => sql`release.id, release.project_id as "projectId", project.name as "projectName",
  release.version, release.type, release.published_at as "publishedAt", release.url,
  ${withNotes ? sql`release.release_notes` : sql`''`} as notes,
  release.has_security_fix, release.security_severity as severity, release.cve_list, release.fault`

type Row = Omit<NotifiedRelease, 'isSecurityFix' | 'advisories' | 'isFaulty'> & {
  has_security_fix: number
  cve_list: string | null
  fault: string | null
}

function toRelease({ has_security_fix, cve_list, fault, ...row }: Row): NotifiedRelease {
  const advisories = cve_list === null ? [] : (JSON.parse(cve_list) as string[])
  return { ...row, isSecurityFix: has_security_fix === 1, advisories, isFaulty: fault !== null }
}

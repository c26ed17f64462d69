import { type Selectable, sql } from 'kysely'
import type { FoundRelease } from '../../catalog/found-release.ts'
import type { ReleaseType } from '../../contract/project.ts'
import { highest } from '../../contract/severity-rank.ts'
import { texts } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import type { Tables } from '../../db/schema/index.ts'
import { updateLatest } from './bundled.ts'

const origin = 'collected'

export interface SaveResult {
  added: number
  updated: number
  news: ReleaseNews[]
}

/** An event about a release: it was published, promoted from a pre-release, or is now known as a security fix. */
export interface ReleaseNews {
  kind: 'release' | 'promotion' | 'security'
  /** Its current fields. */
  type: ReleaseType
  version: string
  /** Unix seconds. */
  publishedAt: number
}

type Row = Selectable<Tables['release']>

/**
 * Saves the releases found for a project: adds new ones, updates changed ones, and does not write unchanged ones. A release
 * replaces its pre-release, and a rough one is known by a name with or without `v`. Releases that were added or edited by a user keep their texts.
 */
export async function saveCollected(trx: Db, projectId: number, found: FoundRelease[], now: number) {
  const known = await findKnown(trx, projectId, found)
  const saved: SaveResult = { added: 0, updated: 0, news: [] }
  // If a version occurs twice in a response, the first one, which is the newest, counts.
  const seen = new Set<string>()
  for (const release of found) {
    const key = toKey(release.chartName, release.version)
    if (seen.has(key)) continue
    seen.add(key)
    const same = (known.get(key) ?? []).filter(({ type }) => toTypes(release).includes(type))
    const row = same.find(({ type }) => type === release.type) ?? same[0]
    const { type, version, publishedAt } = release
    const note = (kind: ReleaseNews['kind']) => saved.news.push({ kind, type, version, publishedAt })
    // Some sources list tags, some versions.
    const isKnownOtherwise = release.isRough && known.has(toKey(release.chartName, otherSpelling(version)))
    if (!row && isKnownOtherwise) continue
    if (!row) {
      await insert(trx, projectId, release, now)
      saved.added++
      note('release')
      continue
    }
    const changes = toChanges(row, release)
    const others = release.isRough ? [] : same.filter((other) => other !== row)
    for (const other of others) await trx.deleteFrom('release').where('id', '=', other.id).execute()
    if (changes) await trx.updateTable('release').set(changes).where('id', '=', row.id).execute()
    if (changes || others.length > 0) saved.updated++
    if (!release.isRough && type !== 'pre' && same.some((other) => other.type === 'pre')) note('promotion')
    else if (changes?.has_security_fix) note('security')
  }
  if (saved.added + saved.updated > 0) await updateLatest(trx, [projectId])
  return saved
}

/** Keys that the same release may be stored under. */
const toTypes = ({ type, chartName }: FoundRelease): ReleaseType[] =>
  type === 'pre' ? ['pre', chartName === '' ? 'app' : 'helm'] : [type, 'pre']

const toKey = (chartName: string, version: string) => JSON.stringify([chartName, version])

const otherSpelling = (version: string) => (version.startsWith('v') ? version.slice(1) : `v${version}`)

async function findKnown(trx: Db, projectId: number, found: FoundRelease[]) {
  const versions = found.flatMap(({ version }) => [version, otherSpelling(version)])
  const rows = await trx
    .selectFrom('release')
    .selectAll()
    .where('project_id', '=', projectId)
    .where(sql<boolean>`version in ${texts(versions)}`)
    .orderBy('id')
    .execute()
  return Map.groupBy(rows, (row) => toKey(row.chart_name, row.version))
}

/** Undefined if nothing changed. */
function toChanges(row: Row, release: FoundRelease): Partial<Row> | undefined {
  const isByHand = row.origin === 'user'
  const wanted: Partial<Row> = {
    ...(!release.isRough && { type: release.type, app_version: release.appVersion ?? row.app_version }),
    ...(release.kubeVersion !== undefined && { kube_version: release.kubeVersion }),
    ...(!release.isRough && !isByHand && { published_at: release.publishedAt }),
    ...(release.url && !isByHand && (!release.isRough || !row.url) && { url: release.url }),
    ...(release.notes && !isByHand && (!release.isRough || !row.release_notes) && { release_notes: release.notes }),
    ...(release.security && !isByHand && toSecurity(row, release.security)),
  }
  const changed = Object.entries(wanted).filter(([name, value]) => row[name as keyof Row] !== value)
  if (changed.length === 0) return undefined
  return { ...Object.fromEntries(changed), ...(!isByHand && { origin }) }
}

export type SecurityColumns = Pick<
  Row,
  'has_security_fix' | 'security_severity' | 'security_summary' | 'cve_list' | 'cve_links'
>

/** Merges security hints with known ones: notes that no longer mention an advisory do not undo a fix. */
export function toSecurity(
  row: SecurityColumns | undefined,
  hints: NonNullable<FoundRelease['security']>,
): SecurityColumns {
  const known = row?.security_severity ?? 'none'
  const { severity = 'none', summary, links = [] } = hints
  return {
    has_security_fix: hints.hasFix ? 1 : (row?.has_security_fix ?? 0),
    security_severity: highest([severity, known]),
    security_summary: summary ?? row?.security_summary ?? null,
    cve_list: union(row?.cve_list, hints.ids),
    cve_links: union(row?.cve_links, links),
  }
}

/** Merges a JSON list with another list; null if both are empty. */
function union(known: string | null | undefined, more: string[]) {
  const all = new Set<string>([...(known ? (JSON.parse(known) as string[]) : []), ...more])
  return all.size > 0 ? JSON.stringify([...all]) : null
}

async function insert(trx: Db, projectId: number, release: FoundRelease, now: number) {
  await trx
    .insertInto('release')
    .values({
      project_id: projectId,
      type: release.type,
      chart_name: release.chartName,
      version: release.version,
      app_version: release.appVersion,
      kube_version: release.kubeVersion ?? null,
      published_at: release.publishedAt,
      created_at: now,
      url: release.url,
      release_notes: release.notes,
      ...toSecurity(undefined, release.security ?? { hasFix: false, ids: [] }),
      origin,
    })
    .execute()
}

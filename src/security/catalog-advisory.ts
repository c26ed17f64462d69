import type { Severity } from '../contract/shape.ts'
import { securityBuild } from '../freshness/versions.ts'
import { hasEnd, isVague, type VersionRange } from './version-range.ts'

/** Both are null for an unrated vulnerability, which may be of any severity. */
export interface SeverityRating {
  severity: Severity | null
  /** CVSS base score; null if only a word is stated. */
  score: number | null
}

/** An advisory about releases of one project. */
export interface CatalogAdvisory extends SeverityRating {
  /** CVE, else GHSA, else the id in its database. */
  id: string
  /** Its ids in other databases. */
  aliases: string[]
  /** Unix seconds. */
  published_at: number | null
  /** `published_at` is the day of a database's record, which may be later than the disclosure. */
  is_record_date: boolean
  modified_at: number | null
  /** When the databases withdrew it; null if they did not. */
  withdrawn_at: number | null
  /** Empty if no source has a summary. */
  summary: string
  /** The databases that it is based on: `bitnami/vulndb`. */
  databases: string[]
  affected: VersionRange[]
}

/** The first rating with a score, else the first one with a word. */
export function preferRating(first: SeverityRating, second: SeverityRating): SeverityRating {
  const isFirst = first.severity !== null && (first.score !== null || second.score === null)
  const { severity, score } = isFirst ? first : second
  return { severity, score }
}

/** Sources of an advisory, by descending precedence. */
const advisorySources = ['osv', 'github', 'bundled'] as const
export type AdvisorySource = (typeof advisorySources)[number]

export interface SourcedAdvisory extends CatalogAdvisory {
  source: AdvisorySource
}

/** A database that guesses versions of other projects; it has the lowest precedence. */
const repackager = 'bitnami/vulndb'

/** Based only on the repackager, which knows no more than the other database. */
export const isOfRepackager = ({ databases }: Pick<CatalogAdvisory, 'databases'>) =>
  databases.length > 0 && databases.every((database) => database === repackager)

/**
 * Precedence of a source's ranges, higher wins: the project itself, any database, a repackager. Among databases, those go first
 * that know the build of a version that has the fix, and those last that do not know where a range ends.
 */
function toAuthority(advisory: SourcedAdvisory): number {
  const { source, affected } = advisory
  if (affected.every(isVague)) return 0
  const isReadable = affected.every(({ last_affected }) => !last_affected?.startsWith('"'))
  if (source === 'github' && isReadable) return 5
  if (isOfRepackager(advisory)) return 1
  if (affected.some(({ fixed }) => securityBuild(fixed ?? '') !== undefined)) return 4
  return affected.every(hasEnd) ? 3 : 2
}

/**
 * Merges several sources' data about one vulnerability of one project. The one with the highest precedence decides. At equal
 * precedence, OSV's ranges replace those of a bundled advisory only if OSV changed it after `gatheredAt`, the unix time of
 * the bundled facts, because those combine more databases.
 */
export function mergeAdvisories(sourced: readonly SourcedAdvisory[], gatheredAt: number) {
  const [first] = sourced
  if (sourced.every(({ source }) => source === first?.source)) return [...sourced]
  const merged: SourcedAdvisory[] = []
  /** Precedence of the ranges at each place. */
  const authorities: number[] = []
  const byId = new Map<string, number>()
  for (const source of advisorySources.toReversed()) {
    const before = new Map(byId)
    for (const advisory of sourced.filter((one) => one.source === source)) {
      const place = placeFor(advisory, merged, before)
      const own = toAuthority(advisory)
      const at = place ?? merged.length
      const lead = own - (authorities[at] ?? 0)
      const all = place === undefined ? advisory : join(merged[place]!, advisory, { lead, gatheredAt })
      merged[at] = all
      authorities[at] = Math.max(own, authorities[at] ?? 0)
      byId.set(all.id, at)
      for (const alias of all.aliases) if (!byId.has(alias)) byId.set(alias, at)
    }
  }
  return merged
}

/** Two advisories of one source are never merged, even if both name the same record of a database. */
function placeFor(advisory: SourcedAdvisory, merged: SourcedAdvisory[], known: ReadonlyMap<string, number>) {
  const own = known.get(advisory.id)
  if (own !== undefined) return own
  // A record with a CVE id is not merged into another CVE that shares a record with it.
  const isNamed = (place: number) => !(merged[place]!.id.startsWith('CVE-') && advisory.id.startsWith('CVE-'))
  return advisory.aliases.map((alias) => known.get(alias)).find((place) => place !== undefined && isNamed(place))
}

interface Order {
  /** By how much the later one's precedence is higher. */
  lead: number
  gatheredAt: number
}

function join(known: SourcedAdvisory, later: SourcedAdvisory, { lead, gatheredAt }: Order): SourcedAdvisory {
  const id = known.id.startsWith('CVE-') || !later.id.startsWith('CVE-') ? known.id : later.id
  const isNewer = lead > 0 || (lead === 0 && later.modified_at !== null && later.modified_at > gatheredAt)
  const [first, second] = isNewer ? [later, known] : [known, later]
  const dated = [first, second].find((one) => one.published_at !== null && !one.is_record_date) ?? first
  return {
    ...first,
    id,
    source: later.source,
    aliases: [...new Set([known.id, ...known.aliases, later.id, ...later.aliases])].filter((alias) => alias !== id),
    ...preferRating(first, second),
    published_at: dated.published_at ?? second.published_at,
    is_record_date: dated.is_record_date,
    withdrawn_at: later.withdrawn_at,
    summary: later.summary || known.summary,
    databases: [...new Set([...first.databases, ...second.databases])],
    affected: first.affected.length > 0 ? first.affected : second.affected,
  }
}

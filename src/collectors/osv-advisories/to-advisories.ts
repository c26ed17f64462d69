import { compareStages, parseVersion } from '../../freshness/versions.ts'
import { formatSummary } from '../../security/advisory.ts'
import { advisoryIds } from '../../security/advisory-ids.ts'
import { type CatalogAdvisory, isOfRepackager, preferRating } from '../../security/catalog-advisory.ts'
import { rate } from '../../security/rating.ts'
import { hasEnd, isVague, type VersionRange } from '../../security/version-range.ts'
import { secondsOrNull } from '../../util/time.ts'
import { releaseVersion, withinMajor } from './go-versions.ts'
import type { OsvRecord } from './schema.ts'

export interface PackageName {
  ecosystem: string
  name: string
}

const databases: Record<string, string> = { Bitnami: 'bitnami/vulndb', Go: 'golang/vulndb' }
/**
 * Converts records about packages to advisories of a project. Records of one vulnerability are merged to one advisory with
 * all ranges; a record of several CVEs counts for each. Without packages, every range counts.
 */
export function toAdvisories(slug: string, records: readonly OsvRecord[], packages?: PackageName[]): CatalogAdvisory[] {
  const byId = new Map<string, CatalogAdvisory>()
  for (const record of records) {
    const affected = rangesFor(slug, record, packages)
    if (affected.length === 0) continue
    for (const id of primaryIds(record)) {
      const advisory = readRecord(id, record, affected)
      const known = byId.get(id)
      byId.set(id, known ? join(known, advisory) : advisory)
    }
  }
  return [...byId.values()]
    .map((advisory) => ({ ...advisory, affected: withoutVague(unique(advisory.affected)) }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** All CVEs, else the GHSA, else the id in the database. */
function primaryIds({ id, aliases }: OsvRecord) {
  const ids = advisoryIds([id, ...(aliases ?? [])].join(' '))
  const cves = ids.filter((one) => one.startsWith('CVE'))
  return cves.length > 0 ? cves : [ids[0] ?? id]
}

function readRecord(id: string, record: OsvRecord, affected: VersionRange[]): CatalogAdvisory {
  const others = [record.id, ...(record.aliases ?? [])]
  const ecosystems = (record.affected ?? []).flatMap((one) => databases[one.package?.ecosystem ?? ''] ?? [])
  return {
    id,
    // Another CVE of the same record is a separate advisory.
    aliases: [...new Set(others)].filter((alias) => alias !== id && !alias.startsWith('CVE-')).slice(0, 20),
    ...rate(statements(record)),
    published_at: secondsOrNull(record.published),
    is_record_date: true,
    modified_at: secondsOrNull(record.modified),
    withdrawn_at: secondsOrNull(record.withdrawn),
    summary: formatSummary(record.summary),
    databases: [...new Set(ecosystems)],
    affected,
  }
}

/** Bitnami rates each package. */
function statements({ severity, affected, database_specific: more }: OsvRecord) {
  const listed = [severity, ...(affected ?? []).map((one) => one.severity)].flatMap((all) => all ?? [])
  return [...listed.map(({ score }) => score), more?.severity]
}

function rangesFor(slug: string, { affected }: OsvRecord, packages: PackageName[] | undefined) {
  const all = (affected ?? []).map((one) => ({ ...one, name: one.package?.name ?? '', read: versionReader(slug, one) }))
  const listed = all.map((one) => ({ ...one, stated: readRanges(one.ranges, one.read) }))
  const modules = listed.filter(({ stated }) => stated.some((range) => !isVague(range))).map(({ name }) => name)
  const isOwn = ({ name, package: named }: (typeof listed)[number]) =>
    packages === undefined || packages.some((own) => own.ecosystem === named?.ecosystem && own.name === name)
  return listed.filter(isOwn).flatMap(({ name, stated, read, ecosystem_specific, versions }) => {
    const custom = readRanges(ecosystem_specific?.custom_ranges, read)
    // A module's range without an end stands for the releases that have no version of the module.
    const ofModule = withinMajor(stated, name, modules).filter((range) => custom.length === 0 || hasEnd(range))
    if (custom.length + ofModule.length > 0) return [...custom, ...ofModule]
    return (versions ?? []).map((version) => ({ introduced: read(version), fixed: null, last_affected: read(version) }))
  })
}

/** Converts a version of the package to that of the project's release. */
function versionReader(slug: string, { package: named }: Affected) {
  return (version: string) =>
    // Bitnami writes `4.0.20-0` for 4.0.20 with its pre-releases.
    named?.ecosystem === 'Go' ? releaseVersion(slug, version) : version.replace(/^v(?=\d)|-0$/g, '')
}

type Affected = NonNullable<OsvRecord['affected']>[number]

/**
 * Events are sorted by version; each `introduced` opens a range, which the next event closes. A range that ends where it
 * begins is fixed by a build of that version, such as `12.0.0+security-01`.
 */
function readRanges(listed: Affected['ranges'], read: (version: string) => string) {
  const ranges: VersionRange[] = []
  for (const { introduced, fixed, last_affected } of (listed ?? []).flatMap((one) =>
    one.type === 'GIT' ? [] : one.events,
  )) {
    if (introduced)
      ranges.push({ introduced: introduced === '0' ? '0' : read(introduced), fixed: null, last_affected: null })
    const open = ranges.at(-1)
    if (!open || hasEnd(open)) continue
    if (fixed && read(fixed) !== open.introduced) open.fixed = read(fixed)
    else if (fixed || last_affected) open.last_affected = read(fixed || last_affected!)
  }
  return ranges
}

function join(known: CatalogAdvisory, more: CatalogAdvisory): CatalogAdvisory {
  return {
    ...known,
    ...preferRating(known, more),
    aliases: [...new Set([...known.aliases, ...more.aliases])],
    published_at: ofKnown(Math.min, known.published_at, more.published_at),
    modified_at: ofKnown(Math.max, known.modified_at, more.modified_at),
    // One database may withdraw a record that another one keeps.
    withdrawn_at: known.withdrawn_at === null || more.withdrawn_at === null ? null : more.withdrawn_at,
    summary: known.summary || more.summary,
    databases: [...new Set([...known.databases, ...more.databases])],
    affected: joinRanges(known, more),
  }
}

/**
 * Merges the ranges, but those of one database only for versions that the other does not cover: of the one that does not know
 * where a range ends, else of the repackager.
 */
function joinRanges(known: CatalogAdvisory, more: CatalogAdvisory) {
  const [left, right] = [openRanges(known), openRanges(more)]
  if (left.length + right.length === 0) return known.affected
  if (isOfRepackager(known) === isOfRepackager(more)) return [...left, ...right]
  const [own, other] = isOfRepackager(known) ? [right, left] : [left, right]
  const isFirst = other.some(isEndless) || !own.some(isEndless)
  const [first, last] = isFirst ? [own, other] : [other, own]
  const exact = first.filter((range) => !isVague(range))
  const isApart = (range: VersionRange) => exact.every((one) => endsBefore(range, one) || endsBefore(one, range))
  return [...first, ...last.filter(isApart)]
}

const isEndless = (range: VersionRange) => !hasEnd(range) && !isVague(range)

/** Ranges of a withdrawn record count only if all records are withdrawn. */
const openRanges = ({ withdrawn_at, affected }: CatalogAdvisory) => (withdrawn_at === null ? affected : [])

/** Unknown versions may be any. */
function endsBefore({ fixed, last_affected }: VersionRange, { introduced }: VersionRange) {
  const [end, start] = [parseVersion(fixed ?? last_affected ?? ''), parseVersion(introduced)]
  if (!end || !start) return false
  const order = compareStages(end, start)
  return order < 0 || (order === 0 && fixed !== null)
}

function ofKnown(choose: typeof Math.min, a: number | null, b: number | null) {
  return a === null || b === null ? (a ?? b) : choose(a, b)
}

function unique(ranges: VersionRange[]) {
  return [...new Map(ranges.map((range) => [JSON.stringify(range), range])).values()]
}

/** A vague range counts only if no other is known. */
function withoutVague(ranges: VersionRange[]) {
  const exact = ranges.filter((range) => !isVague(range))
  return exact.length > 0 ? exact : ranges
}

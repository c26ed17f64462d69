import { compareStages, parseVersion } from '../../freshness/versions.ts'
import { formatSummary } from '../../security/advisory.ts'
import { advisoryIds } from '../../security/advisory-ids.ts'
import { type CatalogAdvisory, isOfRepackager, type VersionRange } from '../../security/catalog-advisory.ts'
import { preferRating, rate } from '../../security/rating.ts'
import { secondsOrNull } from '../../util/time.ts'
import type { OsvRecord } from './schema.ts'

export interface PackageName {
  ecosystem: string
  name: string
}

const databases: Record<string, string> = { Bitnami: 'bitnami/vulndb', Go: 'golang/vulndb' }
/** A Go pseudo-version without a tag, which does not belong to a release. */
const pseudoVersion = /^v?0\.0\.0-(?:.*\.)?\d{14}-[0-9a-f]{12}/

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
    .map((advisory) => ({ ...advisory, affected: withoutPseudo(unique(advisory.affected)) }))
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
  return (affected ?? []).flatMap(({ package: named, ranges, versions }) => {
    const isOwn =
      packages === undefined || packages.some((own) => own.ecosystem === named?.ecosystem && own.name === named.name)
    if (!isOwn) return []
    const read = (version: string) =>
      named?.ecosystem === 'Go' ? releaseVersion(slug, version) : version.replace(/^v(?=\d)/, '')
    const stated = (ranges ?? []).filter(({ type }) => type !== 'GIT').flatMap(({ events }) => readEvents(events, read))
    if (stated.length > 0) return stated
    return (versions ?? []).map((version) => ({ introduced: read(version), fixed: null, last_affected: read(version) }))
  })
}

/** Projects whose Go modules have other version numbers than their releases. */
const numbered: Record<string, (minor: number, patch: string) => string> = {
  // Module 0.305.2 is release 3.5.2, and 0.54.1 is 2.54.1.
  prometheus: (minor, patch) => (minor >= 300 ? `3.${minor - 300}${patch}` : `2.${minor}${patch}`),
  // Module 0.22.4 is release 22.0.4.
  vitess: (minor, patch) => `${minor}.0${patch}`,
  // Module 0.39.0 is release 1.12.0, because 1.0 was 0.27.
  knative: (minor, patch) => (minor >= 27 ? `1.${minor - 27}${patch}` : `0.${minor}${patch}`),
}

/** Converts a module version to that of the project's release: without `v`, and in the project's own numbers. */
function releaseVersion(slug: string, version: string) {
  const plain = version.replace(/^v(?=\d)/, '')
  const convert = numbered[slug] ?? (slug.startsWith('knative') ? numbered.knative : undefined)
  const module = /^0\.(\d{1,6})((?:\.\d+)?(?:[-+].*)?)$/.exec(plain)
  return convert && module && Number(module[1]) > 0 ? convert(Number(module[1]), module[2]!) : plain
}

type Events = NonNullable<NonNullable<OsvRecord['affected']>[number]['ranges']>[number]['events']

/** Events are sorted by version; each `introduced` opens a range, which the next event closes. */
function readEvents(events: Events, read: (version: string) => string) {
  const ranges: VersionRange[] = []
  for (const { introduced, fixed, last_affected } of events) {
    if (introduced)
      ranges.push({ introduced: introduced === '0' ? '0' : read(introduced), fixed: null, last_affected: null })
    const open = ranges.at(-1)
    if (!open || open.fixed !== null || open.last_affected !== null) continue
    if (fixed) open.fixed = read(fixed)
    else if (last_affected) open.last_affected = read(last_affected)
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

/** Merges the ranges, but a repackager's only for versions that the other database does not cover. */
function joinRanges(known: CatalogAdvisory, more: CatalogAdvisory) {
  const [left, right] = [openRanges(known), openRanges(more)]
  if (left.length + right.length === 0) return known.affected
  if (isOfRepackager(known) === isOfRepackager(more)) return [...left, ...right]
  const [first, last] = isOfRepackager(known) ? [right, left] : [left, right]
  const isApart = (range: VersionRange) => first.every((other) => endsBefore(range, other) || endsBefore(other, range))
  return [...first, ...last.filter(isApart)]
}

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

/** A range that ends at a commit counts only if no range of releases is known. */
function withoutPseudo(ranges: VersionRange[]) {
  const plain = ranges.filter(({ fixed, last_affected }) => !pseudoVersion.test(fixed ?? last_affected ?? ''))
  return plain.length > 0 ? plain : ranges
}

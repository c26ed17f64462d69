import type { AffectedRange } from '../contract/freshness.ts'
import { remember } from '../util/remember.ts'
import {
  compareNumbers,
  comparePrereleases,
  compareStages,
  isCalendar,
  parseVersion,
  securityBuild,
  type Version,
} from './versions.ts'

export type Affected = 'affected' | 'not_affected' | 'unknown'

interface RangeBound {
  text: string
  version: Version
  /** A number after the version, `6.8.2-1`: a rebuild in some databases, a pre-release in others. */
  isRebuild: boolean
  isCalendar: boolean
}

export interface ReadRange {
  /** Undefined: all earlier versions. */
  introduced: RangeBound | undefined
  fixed: RangeBound | undefined
  lastAffected: RangeBound | undefined
}

/** Cache of bounds by text: advisories of one project share most of theirs. */
export type ReadBounds = Map<string, RangeBound | undefined>

/** Undefined if an end of the range is not a version. */
export function readRange(range: AffectedRange, known: ReadBounds): ReadRange | undefined {
  const introduced = range.introduced === '0' ? null : range.introduced
  const { fixed, last_affected } = range
  const bounds = {
    introduced: findBound(introduced, known),
    fixed: findBound(fixed, known),
    lastAffected: findBound(last_affected, known),
  }
  const isRead =
    (introduced === null || bounds.introduced) &&
    (fixed === null || bounds.fixed) &&
    (last_affected === null || bounds.lastAffected)
  return isRead ? bounds : undefined
}

function findBound(text: string | null, known: ReadBounds): RangeBound | undefined {
  if (text === null) return undefined
  return remember(known, text, () => {
    const bound = readBound(text)
    return bound && { ...bound, isCalendar: isCalendar(bound.version) }
  })
}

/** A Go pseudo-version: time and commit of the build. */
const pseudoVersion = /[-.]0\.\d{14}-[0-9a-f]{7,}$/

/** Matches most bounds; numbers are too short for a date, which is compared differently. */
const plainNumbers = /^\d{1,7}(?:\.\d{1,7})*$/

function toVersion(text: string): Version {
  const segments = text.split('.').map((digits) => digits.replace(/^0+(?=\d)/, ''))
  const plain = { text, isTag: false, prefix: '', bare: text, core: text, segments, isDate: false }
  return { ...plain, prerelease: [], revision: [], lead: '', variant: '' }
}

/** Parses a bound, and the build of a version that adds a security fix (`11.6.0+security-01`). */
function readBound(text: string): Omit<RangeBound, 'isCalendar'> | undefined {
  const build = securityBuild(text)
  const bound = readPlain(build === undefined ? text : text.replace(/[-+.]security.*$/i, ''))
  return bound && build !== undefined ? { ...bound, text, version: { ...bound.version, text } } : bound
}

/**
 * Parses a bound by the rules of Semantic Versioning, as the databases do: removes build metadata, and any word is a
 * pre-release.
 */
function readPlain(text: string): Omit<RangeBound, 'isCalendar'> | undefined {
  if (plainNumbers.test(text)) return { text, version: toVersion(text), isRebuild: false }
  const plain = text.replace(/\+.*$/, '')
  const version = parseVersion(plain)
  if (version?.lead !== '') return undefined
  const isPrerelease = version.variant !== '' || pseudoVersion.test(plain)
  if (!isPrerelease || version.prerelease.length > 0) {
    return { text: plain, version, isRebuild: version.revision.length > 0 && version.prerelease.length === 0 }
  }
  const words = plain.slice(plain.indexOf('-') + 1).toLowerCase()
  return {
    text: plain,
    version: { ...version, prerelease: words.split(/[-.]/), variant: '', revision: [] },
    isRebuild: false,
  }
}

export interface RunningVersion {
  version: Version
  /** The version has fewer numbers than the releases and means all versions with that prefix: `1.30`. */
  isLine: boolean
  /** Versions that start with a year are newer than those that do not. */
  yearsAreLater: boolean
}

export function isInRange(running: RunningVersion, range: ReadRange): Affected {
  const { introduced, fixed, lastAffected } = range
  const above = introduced ? isAtLeast(running, introduced) : true
  const below = fixed ? isBelow(running, fixed) : lastAffected ? isAtMost(running, lastAffected) : true
  if (below === false) return 'not_affected'
  if (above === false)
    return isTurned(range) && below === true && isSameCore(running, introduced) ? 'unknown' : 'not_affected'
  return above === true && below === true ? 'affected' : 'unknown'
}

/** Whether the end of a range is a pre-release of its start: it then covers the pre-releases before that end, or nothing. */
function isTurned({ introduced, fixed }: ReadRange) {
  return introduced !== undefined && fixed !== undefined && compareStages(introduced.version, fixed.version) > 0
}

function isSameCore({ version }: RunningVersion, bound: RangeBound | undefined) {
  return bound !== undefined && compareNumbers(version.segments, bound.version.segments) === 0
}

/** Undefined means unknown. */
type StatedRange = boolean | undefined

/** A bound that may be a rebuild or a pre-release counts as the earlier of the two. */
function isAtLeast(running: RunningVersion, bound: RangeBound) {
  if (bound.isRebuild && !running.isLine && isSameCore(running, bound)) {
    return running.version.prerelease.length === 0 ? true : undefined
  }
  return not(isBelow(running, bound))
}

function isBelow(running: RunningVersion, bound: RangeBound) {
  const order = orderTo(running, bound)
  if (order !== undefined) return order < 0
  const isStart = running.isLine && isSameCore(running, bound) && !bound.isRebuild && !securityBuild(bound.text)
  return isStart && bound.version.prerelease.length === 0 ? false : undefined
}

function isAtMost(running: RunningVersion, bound: RangeBound) {
  const order = orderTo(running, bound)
  return order === undefined ? undefined : order <= 0
}

/** Negative: below the bound. Undefined if unknown, and for a line with versions on both sides. */
function orderTo(running: RunningVersion, bound: RangeBound) {
  const { version, isLine, yearsAreLater } = running
  if (!yearsAreLater && isCalendar(version) !== bound.isCalendar) return undefined
  const { segments } = version
  if (isLine) return compareNumbers(segments, bound.version.segments.slice(0, segments.length)) || undefined
  if (bound.isRebuild && isSameCore(running, bound)) return version.prerelease.length > 0 ? -1 : undefined
  return compareToBound(version, bound)
}

/** Stages that databases and projects order alike; others are from branches and cannot be ordered. */
const counted = new Set(['alpha', 'beta', 'dev', 'ea', 'milestone', 'pre', 'preview', 'rc', 'weekly'])

function compareToBound(version: Version, { version: bound }: RangeBound) {
  const order = compareNumbers(version.segments, bound.segments)
  if (order !== 0) return order
  const [own = '', other = ''] = [version.prerelease[0], bound.prerelease[0]]
  const areAlike = own === '' || other === '' || own === other || (counted.has(own) && counted.has(other))
  if (!areAlike) return undefined
  // The builds of a version that add a security fix are later than the version.
  const [build = '0', boundBuild = '0'] = [securityBuild(version.text), securityBuild(bound.text)]
  return comparePrereleases(version.prerelease, bound.prerelease) || compareNumbers([build], [boundBuild])
}

function not(statement: StatedRange) {
  return statement === undefined ? undefined : !statement
}

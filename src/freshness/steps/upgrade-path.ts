import type { UpgradeRule } from '../../contract/state-facts.ts'
import { remember } from '../../util/remember.ts'
import type { DatedRelease } from '../releases.ts'
import { compareNumbers, compareStages, isCalendar, parseVersion, type Version } from '../versions.ts'

/** The path from one version to another by the project's own rules. */
export interface UpgradePath {
  /** Releases to stop at, in order. */
  via: DatedRelease[]
  /** Manual actions, one sentence each. */
  notes: string[]
}

export interface UpgradeMap {
  rules: readonly UpgradeRule[]
  /** Releases that may be suggested, newest first. */
  releases: readonly DatedRelease[]
}

/** Undefined if a stop on the path has no acceptable release. */
export function findPath(from: Version, to: Version, map: UpgradeMap): UpgradePath | undefined {
  const rules = isCalendar(from) === isCalendar(to) ? map.rules : []
  const stops: DatedRelease[] = []
  for (const rule of rules) {
    const found = stopsBy(rule, { from, to }, map)
    if (!found) return undefined
    stops.push(...found)
  }
  const between = stops.filter(({ version }) => compareStages(version, from) > 0 && compareStages(version, to) < 0)
  const via = [...new Set(between)].sort((a, b) => compareStages(a.version, b.version))
  return { via, notes: notesOf(rules, [from, ...via.map(({ version }) => version), to]) }
}

/** Manual actions in the rules for a path; several stops with the same note are combined. */
function notesOf(rules: readonly UpgradeRule[], way: readonly Version[]) {
  const [from, to] = [way[0]!, way.at(-1)!]
  const places = new Map<string, string[]>()
  const wide: string[] = []
  for (const { rule, value, to: border, note } of rules) {
    const isCrossed = (rule === 'manual-step' || rule === 'required-stop') && crosses(from, to, border)
    if (isCrossed) places.set(note, [...(places.get(note) ?? []), String(rule === 'manual-step' ? border : value)])
    // The maximum step width may depend on the upgrade method.
    if (rule === 'max-minor-skip' && way.some((version, index) => isWide(version, way[index + 1]))) wide.push(note)
  }
  return [...[...places].map(([note, at]) => `At ${at.join(', ')}: ${note}`), ...wide]
}

const isWide = (version: Version, next: Version | undefined) =>
  next !== undefined &&
  next.segments[0] === version.segments[0] &&
  Number(next.segments[1] ?? 0) - Number(version.segments[1] ?? 0) > 1

/** The first stop on the path without a release in the map, such as `1.35`; undefined if there is a path. */
export function findMissingStop(from: Version, to: Version, map: UpgradeMap) {
  const way = { from, to }
  for (const rule of map.rules) {
    if (stopsBy(rule, way, map)) continue
    if (rule.rule === 'required-stop') return String(rule.value)
    if (rule.rule === 'free') return rule.from
    if (rule.rule === 'major-by-major') return missingMajor(way, map) ?? rule.from
    const start = rule.from === undefined ? undefined : parseVersion(rule.from)
    const { segments } = gapsOf([from, ...minorsOn(way, map).map(({ version }) => version), to], start)[0]!
    return `${segments[0]}.${Number(segments[1] ?? 0) + 1}`
  }
  return undefined
}

function missingMajor({ from, to }: Way, { releases }: UpgradeMap) {
  const known = new Set(releases.map(({ version }) => Number(version.segments[0])))
  for (let major = Number(from.segments[0]) + 1; major < Number(to.segments[0]); major++) {
    if (!known.has(major)) return String(major)
  }
  return undefined
}

interface Way {
  from: Version
  to: Version
}

function stopsBy(rule: UpgradeRule, way: Way, map: UpgradeMap) {
  switch (rule.rule) {
    case 'minor-by-minor':
      return minorStops(way, 1, rule, map)
    case 'max-minor-skip':
      return minorStops(way, Number(rule.value), rule, map)
    case 'major-by-major':
      return majorStops(way, rule, map)
    case 'free':
      // A direct upgrade is possible from this line on, which older versions must reach first.
      return rule.from === undefined ? [] : requiredStop(way, { stop: rule.from, before: rule.from }, map)
    case 'required-stop':
      return requiredStop(way, { stop: String(rule.value), before: rule.to }, map)
    default:
      return []
  }
}

const toMinor = ({ segments }: Version) => [segments[0] ?? '0', segments[1] ?? '0']

/** The newest release of every minor version on the path, or of every `skip`th. */
function minorStops(way: Way, skip: number, { from: since }: UpgradeRule, map: UpgradeMap) {
  const start = since === undefined ? undefined : parseVersion(since)
  const ascending = minorsOn(way, map)
  if (gapsOf([way.from, ...ascending.map(({ version }) => version), way.to], start).length > 0) return undefined
  const bound = ascending.filter(({ version }) => !start || compareNumbers(version.segments, start.segments) >= 0)
  return bound.filter((_, index) => (index + 1) % skip === 0)
}

/** The newest release of every minor version on the path, ascending. */
function minorsOn({ from, to }: Way, { releases }: UpgradeMap) {
  return newestOfMinors(releases)
    .filter(({ version }) => isMinorBetween(version, from, to))
    .reverse()
}

const byList = new WeakMap<readonly DatedRelease[], DatedRelease[]>()

/** Cached, because each release of a project is tried as a step, with the same list. */
function newestOfMinors(releases: readonly DatedRelease[]) {
  return remember(byList, releases, () => {
    const minors = new Map<string, DatedRelease>()
    for (const release of releases) remember(minors, toMinor(release.version).join('.'), () => release)
    return [...minors.values()]
  })
}

function isMinorBetween(version: Version, from: Version, to: Version) {
  const minor = toMinor(version)
  return compareNumbers(minor, toMinor(from)) > 0 && compareNumbers(minor, toMinor(to)) < 0
}

/** Releases after which a minor version of the same major version is missing, even if the list is said to be complete. */
function gapsOf(versions: readonly Version[], start: Version | undefined) {
  return versions.filter((version, index) => {
    const next = versions[index + 1]
    return isWide(version, next) && !(start && compareNumbers(next!.segments, start.segments) <= 0)
  })
}

/** The newest release of every major version on the path, and `from` before `to`. */
function majorStops(way: Way, { from: stop, to: before }: UpgradeRule, map: UpgradeMap) {
  const { from, to } = way
  const majors = new Map<string, DatedRelease>()
  for (const release of map.releases) {
    const [major = ''] = release.version.segments
    const isOn = compareNumbers([major], [from.segments[0]!]) > 0 && compareNumbers([major], [to.segments[0]!]) < 0
    if (isOn) remember(majors, major, () => release)
  }
  const between = Number(to.segments[0]) - Number(from.segments[0]) - 1
  if (!isCalendar(from) && majors.size < between) return undefined
  const required = stop === undefined ? [] : requiredStop(way, { stop, before }, map)
  return required && [...majors.values(), ...required]
}

/** The newest release in the line of `stop`, if at or above it. */
function requiredStop(
  { from, to }: Way,
  { stop, before }: { stop: string; before: string | undefined },
  { releases }: UpgradeMap,
) {
  const wanted = parseVersion(stop)
  if (!wanted || !crosses(from, to, before) || compareNumbers(from.segments, wanted.segments) >= 0) return []
  const found = releases.find(
    ({ version }) =>
      compareNumbers(toMinor(version), toMinor(wanted)) === 0 && compareNumbers(version.segments, wanted.segments) >= 0,
  )
  return found && [found]
}

function crosses(from: Version, to: Version, line: string | undefined) {
  const border = line === undefined ? undefined : parseVersion(line)
  return (
    border !== undefined &&
    compareNumbers(from.segments, border.segments) < 0 &&
    compareNumbers(to.segments, border.segments) >= 0
  )
}

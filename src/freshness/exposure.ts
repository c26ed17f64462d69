import { highest } from '../contract/severity-rank.ts'
import type { Severity } from '../contract/shape.ts'
import { chooseStep } from '../lifecycle/step-text.ts'
import type { KnownAdvisory } from './affected.ts'
import type { AssessedItem } from './assessed.ts'
import { isInLine, isLaterScheme, isNewer, lineLength } from './newer-releases.ts'
import type { DatedRelease, ReleaseList } from './releases.ts'
import type { FoundStep } from './steps/find-steps.ts'
import { tagFamilyFor } from './tag-family.ts'
import { compareNumbers, compareStages, type Version } from './versions.ts'

/** A query over all running artifacts. */
export type ExposureQuestion =
  | { kind: 'release'; id: number }
  /**
   * Affected by one of these advisories. `fixes`: ids of releases that fix them, for projects whose advisories have no
   * ranges in the catalog.
   */
  | { kind: 'advisories'; ids: ReadonlySet<string>; fixes: ReadonlySet<number> }
  /** Affected by any advisory; if none is known, older than a release with a security fix. */
  | { kind: 'security' }

export interface Exposure {
  /** The recommended step; for questions about fixes, one that includes them if possible. Undefined if there is none. */
  step: FoundStep | undefined
  /** The requested release, or the first one that fixes the advisories in question. */
  fix: DatedRelease | undefined
  /** Highest severity of the fixes. */
  severity: Severity
  /** A fix of unknown severity has the severity `none`. */
  hasSecurityFix: boolean
  /** False if it depends on an unknown version. */
  isCertain: boolean
  /** The advisories in question, worst first. */
  advisories: KnownAdvisory[]
}

type Concern = Omit<Exposure, 'step'>

/** Undefined if the artifact does not match the question. */
export function exposureFor(assessed: AssessedItem, question: ExposureQuestion): Exposure | undefined {
  if (!assessed.releases) return undefined
  const concern = concernFor(assessed, assessed.releases.list, question)
  return concern && { ...concern, step: stepFor(assessed, assessed.releases.list, question) }
}

function stepFor(assessed: AssessedItem, list: ReleaseList, question: ExposureQuestion) {
  // As in every output.
  const taken = chooseStep(assessed.steps, assessed.support)
  const fixes = toFixes(question, list)
  if (!fixes) return taken
  const { urgent, clean, line, next, newest } = assessed.steps
  const steps = [taken, urgent, clean, line, next, newest].filter((step) => step !== undefined)
  if (question.kind === 'advisories' && hasRanges(assessed, question)) {
    return steps.find(({ leaves }) => !leaves.some(({ id }) => question.ids.has(id))) ?? taken
  }
  return steps.find(({ release }) => !toBehindFix(fixes, list, release.version))
}

function concernFor(assessed: AssessedItem, list: ReleaseList, question: ExposureQuestion) {
  const { current, verdict } = assessed
  switch (question.kind) {
    case 'release':
      return olderThan(
        list.all.find(({ id }) => id === question.id),
        list,
        current,
      )
    case 'advisories':
      return hasRanges(assessed, question)
        ? affectedBy(assessed, ({ id }) => question.ids.has(id))
        : toBehindFix(toFixes(question, list)!, list, current)
    case 'security':
      if (assessed.security) return affectedBy(assessed, () => true)
      return (
        current &&
        behindFixes(
          verdict.newer.filter(({ hasSecurityFix }) => hasSecurityFix),
          current,
        )
      )
  }
}

function hasRanges({ advisoryBook }: AssessedItem, { ids }: Extract<ExposureQuestion, { kind: 'advisories' }>) {
  return advisoryBook?.advisories.some(({ id }) => ids.has(id)) ?? false
}

/** Fixes that the question is about, newest first; undefined if it is not about fixes. */
function toFixes(question: ExposureQuestion, { all }: ReleaseList) {
  if (question.kind === 'advisories') return all.filter(({ id }) => question.fixes.has(id))
  const fix = question.kind === 'release' ? all.find(({ id }) => id === question.id) : undefined
  return fix?.hasSecurityFix ? [fix] : undefined
}

function olderThan(
  release: DatedRelease | undefined,
  list: ReleaseList,
  current: Version | undefined,
): Concern | undefined {
  const standing = release ? compareToRelease(release, list, current) : 'not_older'
  if (!release || standing === 'not_older') return undefined
  const { severity, hasSecurityFix } = release
  return { fix: release, severity, hasSecurityFix, isCertain: standing === 'older', advisories: [] }
}

/**
 * Whether a running version is older than a release in the same list. Ignores releases of other tag families. `open`:
 * unknown, because a floating tag may be either.
 */
function compareToRelease(release: DatedRelease, list: ReleaseList, current: Version | undefined) {
  if (!current) return 'open'
  const family = tagFamilyFor(list, current)
  if (typeof family === 'string') return 'open'
  if (!family.releases.includes(release)) return 'not_older'
  if (family.mode === 'exact') return isNewer(release.version, current) ? 'older' : 'not_older'
  if (isLaterScheme(release.version, current)) return 'older'
  const order = compareNumbers(release.version.segments.slice(0, current.segments.length), current.segments)
  if (order === 0) return 'open'
  return order > 0 ? 'older' : 'not_older'
}

/** Compares with the ranges of the advisories in question. A version that is not in the tag may be any. */
function affectedBy(
  { security, advisoryBook, verdict }: AssessedItem,
  isMeant: (advisory: KnownAdvisory) => boolean,
): Concern | undefined {
  const affecting = security?.advisories.filter(isMeant) ?? []
  const isCertain = affecting.length > 0
  const open = security?.undecided ?? advisoryBook?.advisories ?? []
  const advisories = isCertain ? affecting : open.filter(isMeant)
  if (advisories.length === 0) return undefined
  const isFixed = ({ version }: DatedRelease) =>
    advisories.every(({ id }) =>
      advisoryBook!.isFreeOf(id, { version, isLine: false, yearsAreLater: security!.running.yearsAreLater }),
    )
  return {
    fix: isCertain ? verdict.newer.findLast(isFixed) : undefined,
    severity: highest(advisories.flatMap(({ severity }) => severity ?? [])),
    hasSecurityFix: true,
    isCertain,
    advisories,
  }
}

/** The last fix in its own line includes earlier ones; if that line has none, the nearest one helps. */
function behindFixes(newestFirst: DatedRelease[], current: Version): Concern | undefined {
  const isOwn = ({ version }: DatedRelease) => isInLine(version, current, ownLine(current, version))
  const fix = newestFirst.find(isOwn) ?? newestFirst.at(-1)
  if (!fix) return undefined
  const between = newestFirst.slice(newestFirst.indexOf(fix))
  const severity = highest(between.map((each) => each.severity))
  return { fix, severity, hasSecurityFix: true, isCertain: true, advisories: [] }
}

/** The first fix in its own line decides; if that line has none, whether the version was released before the first fix. */
function toBehindFix(fixes: DatedRelease[], list: ReleaseList, current: Version | undefined): Concern | undefined {
  const ofLine = fixes.filter(({ version }) => !current || isInLine(version, current, ownLine(current, version)))
  if (ofLine.length > 0 || !current) return olderThan(ofLine.at(-1), list, current)
  const nearest = fixes.findLast((fix) => olderThan(fix, list, current))
  if (!nearest || nearest === fixes.at(-1)) return olderThan(nearest, list, current)
  const running = list.all.find(({ version }) => compareStages(version, current) === 0)
  const firstKnown = Math.min(...fixes.map(({ publishedAt }) => publishedAt))
  return running && running.publishedAt >= firstKnown ? undefined : olderThan(nearest, list, current)
}

/** A floating tag is itself a line. */
function ownLine(current: Version, fix: Version) {
  const { length } = current.segments
  return length < fix.segments.length ? Math.min(2, length) : lineLength(current, fix)
}

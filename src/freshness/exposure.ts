import { highest } from '../contract/highest-severity.ts'
import type { Severity } from '../contract/shape.ts'
import type { KnownAdvisory } from './affected.ts'
import type { AssessedItem } from './assessed.ts'
import { compareToRelease, type ReleaseOrder } from './compare-to-release.ts'
import { isInLine, lineLength } from './newer-releases.ts'
import type { DatedRelease, ReleaseList } from './releases.ts'
import { compareStages, type Version } from './versions.ts'

/** A query over all running artifacts. */
export type ExposureQuestion =
  | { kind: 'release'; id: number }
  /**
   * Affected by one of the advisories that the catalog holds for this question. `fixes`: ids of releases that fix them,
   * for projects about which it holds none.
   */
  | { kind: 'advisories'; fixes: ReadonlySet<number> }
  | { kind: 'project'; id: number }
  /** Behind any release with a security fix. */
  | { kind: 'security' }

export interface Exposure {
  /** The nearest release that fixes it; undefined if there is none yet. */
  release: DatedRelease | undefined
  /** Highest severity fixed by that release; for a project, by all newer releases. */
  severity: Severity
  /** A fix of unknown severity has the severity `none`. */
  hasSecurityFix: boolean
  /** False if an unknown version would decide. */
  isCertain: boolean
  /** The advisories in question, the worst first. */
  advisories: KnownAdvisory[]
}

/** Undefined for what is not concerned. */
export function exposureOf(assessed: AssessedItem, question: ExposureQuestion): Exposure | undefined {
  const { releases, current, verdict } = assessed
  if (!releases) return undefined
  const { list } = releases
  switch (question.kind) {
    case 'release':
      return exposed(
        list.all.find(({ id }) => id === question.id),
        list,
        current,
      )
    case 'advisories':
      if (assessed.advisoryBook?.advisories.length) return exposedToAdvisories(assessed)
      return exposedToFixOf(
        list.all.filter(({ id }) => question.fixes.has(id)),
        list,
        current,
      )
    case 'project': {
      if (assessed.match.project?.id !== question.id) return undefined
      const release = verdict.newer[0] ?? (verdict.status === 'unknown' ? list.newest : undefined)
      const fixes = [release, ...verdict.newer].filter((each) => each?.hasSecurityFix)
      return (
        release && {
          release,
          severity: highest(fixes.map((fix) => fix!.severity)),
          hasSecurityFix: fixes.length > 0,
          isCertain: verdict.status !== 'unknown',
          advisories: [],
        }
      )
    }
    case 'security':
      return (
        current &&
        exposedToFixes(
          verdict.newer.filter(({ hasSecurityFix }) => hasSecurityFix),
          current,
        )
      )
  }
}

function exposed(
  release: DatedRelease | undefined,
  list: ReleaseList,
  current: Version | undefined,
): Exposure | undefined {
  const standing: ReleaseOrder = release ? compareToRelease(release, list, current) : 'not_older'
  if (!release || standing === 'not_older') return undefined
  const { severity, hasSecurityFix } = release
  return { release, severity, hasSecurityFix, isCertain: standing === 'older', advisories: [] }
}

/** By the ranges of all advisories of the catalog in question. A version that no tag states may be any. */
function exposedToAdvisories({ security, advisoryBook, releases }: AssessedItem): Exposure | undefined {
  const affecting = security?.advisories ?? []
  const isCertain = affecting.length > 0
  const advisories = isCertain ? affecting : (security?.undecided ?? advisoryBook?.advisories ?? [])
  if (advisories.length === 0) return undefined
  return {
    release: isCertain ? security?.fixedIn : releases?.list.newest,
    severity: highest(advisories.flatMap(({ severity }) => severity ?? [])),
    hasSecurityFix: true,
    isCertain,
    advisories,
  }
}

/** The last fix of its own line has those before it as well; where that line has none, the nearest one helps. */
function exposedToFixes(newestFirst: DatedRelease[], current: Version): Exposure | undefined {
  const isOwn = ({ version }: DatedRelease) => isInLine(version, current, ownLine(current, version))
  const release = newestFirst.find(isOwn) ?? newestFirst.at(-1)
  if (!release) return undefined
  const between = newestFirst.slice(newestFirst.indexOf(release))
  const severity = highest(between.map((fix) => fix.severity))
  return { release, severity, hasSecurityFix: true, isCertain: true, advisories: [] }
}

/** The first fix of its own line decides; where that line has none, whether it came out before anybody knew. */
function exposedToFixOf(fixes: DatedRelease[], list: ReleaseList, current: Version | undefined): Exposure | undefined {
  const ofLine = fixes.filter(({ version }) => !current || isInLine(version, current, ownLine(current, version)))
  if (ofLine.length > 0 || !current) return exposed(ofLine.at(-1), list, current)
  const nearest = fixes.findLast((fix) => exposed(fix, list, current))
  if (!nearest || nearest === fixes.at(-1)) return exposed(nearest, list, current)
  const running = list.all.find(({ version }) => compareStages(version, current) === 0)
  const firstKnown = Math.min(...fixes.map(({ publishedAt }) => publishedAt))
  return running && running.publishedAt >= firstKnown ? undefined : exposed(nearest, list, current)
}

/** A floating tag is a line itself. */
function ownLine(current: Version, fix: Version): number {
  const { length } = current.segments
  return length < fix.segments.length ? Math.min(2, length) : lineLength(current, fix)
}

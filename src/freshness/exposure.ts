import { highest } from '../contract/highest-severity.ts'
import type { Severity } from '../contract/shape.ts'
import { compareToRelease, type ReleaseOrder } from './compare-to-release.ts'
import type { Assessed } from './item.ts'
import { isInLine, lineLength } from './newer-releases.ts'
import type { Release, ReleaseList } from './releases.ts'
import { compareStages, type Version } from './versions.ts'

/** What is asked of everything that runs. */
export type Question =
  | { kind: 'release'; id: number }
  /** Ids of the releases that fix it. */
  | { kind: 'cve'; fixes: ReadonlySet<number> }
  | { kind: 'project'; id: number }
  /** Behind any release with a security fix. */
  | { kind: 'security' }

export interface Exposure {
  /** The release that it should have: the nearest one that helps. */
  release: Release
  /** Of what that release fixes; of a project, of everything up to it. */
  severity: Severity
  /** A fix of unknown severity has the severity `none`. */
  hasSecurityFix: boolean
  /** False where only a version that nobody told could decide. */
  isCertain: boolean
}

/** Undefined for what is not concerned. */
export function exposureOf(assessed: Assessed, question: Question): Exposure | undefined {
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
    case 'cve':
      return exposedToCve(
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

function exposed(release: Release | undefined, list: ReleaseList, current: Version | undefined): Exposure | undefined {
  const standing: ReleaseOrder = release ? compareToRelease(release, list, current) : 'not_older'
  if (!release || standing === 'not_older') return undefined
  const { severity, hasSecurityFix } = release
  return { release, severity, hasSecurityFix, isCertain: standing === 'older' }
}

/** The last fix of its own line has those before it as well; where that line has none, the nearest one helps. */
function exposedToFixes(newestFirst: Release[], current: Version): Exposure | undefined {
  const isOwn = ({ version }: Release) => isInLine(version, current, ownLine(current, version))
  const release = newestFirst.find(isOwn) ?? newestFirst.at(-1)
  if (!release) return undefined
  const between = newestFirst.slice(newestFirst.indexOf(release))
  return { release, severity: highest(between.map(({ severity }) => severity)), hasSecurityFix: true, isCertain: true }
}

/** The first fix of its own line decides; where that line has none, whether it came out before anybody knew. */
function exposedToCve(fixes: Release[], list: ReleaseList, current: Version | undefined): Exposure | undefined {
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

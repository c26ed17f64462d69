import type { AffectedVersion, AffectingAdvisory } from './affected.ts'
import type { Subject } from './item.ts'
import type { Known } from './known.ts'
import { isInLine, lineLength } from './newer.ts'
import type { Release } from './releases.ts'
import type { Verdict } from './verdict.ts'
import { isCalendar, type Version } from './versions.ts'

/** The advisories that affect what runs, and the smallest step out of them. */
export interface RunningSecurity extends AffectedVersion {
  /** The first release of the running line that no advisory affects; undefined when there is none yet. */
  fixedInLine: Release | undefined
  /** The same, else the first of a later line. */
  fixedIn: Release | undefined
}

/** Undefined where nobody has told of the project's advisories, or its version does not compare with its releases. */
export function securityOf(
  { type, match, current, releases }: Subject,
  verdict: Verdict,
  known: Known,
): RunningSecurity | undefined {
  // Advisories are about what a chart installs, whose version the chart's does not tell.
  const book = match.project && type !== 'helm_chart' ? known.advisoriesOf(match.project.id) : undefined
  if (!book || !releases || !current || !isReadable(releases.list.stable, verdict)) return undefined
  const { newest, stable } = releases.list
  const yearsAreLater = newest !== undefined && isCalendar(newest.version)
  // Without releases nothing tells how many numbers a version has.
  const isLine = verdict.mode === 'line' || (stable.length === 0 && current.segments.length < 3)
  const affected = book.of({ version: current, isLine, yearsAreLater })
  if (affected.advisories.length === 0) return { ...affected, fixedInLine: undefined, fixedIn: undefined }
  const isClean = ({ version }: Release) => book.isClean({ version, isLine: false, yearsAreLater })
  const fixedInLine = verdict.newer.findLast((release) => isInOwnLine(release, current) && isClean(release))
  return { ...affected, fixedInLine, fixedIn: fixedInLine ?? verdict.newer.findLast(isClean) }
}

/** A tag that is not counted like the releases may be a build number, which is above every range. */
function isReadable(stable: readonly Release[], { mode }: Verdict): boolean {
  return mode !== 'none' || stable.length === 0
}

function isInOwnLine({ version }: Release, current: Version): boolean {
  const length = lineLength(current, version)
  return length > 0 && isInLine(version, current, length)
}

/** Null where no advisory that affects it is rated. */
export function worstOf(advisories: readonly AffectingAdvisory[]) {
  return advisories[0]?.severity ?? null
}

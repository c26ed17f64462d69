import type { Severity } from '../contract/shape.ts'
import type { AffectedVersion, AffectingAdvisory, KnownAdvisory } from './affected.ts'
import { isInLine, lineLength } from './newer-releases.ts'
import type { Known } from './prepare-catalog.ts'
import type { Release } from './releases.ts'
import type { Subject } from './subject.ts'
import type { Verdict } from './verdict.ts'
import { isCalendar, type Version } from './versions.ts'

export interface AdvisoryStep extends AffectingAdvisory {
  /** The first release of the running line that this advisory does not affect. */
  fixedInLine: Release | undefined
}

/** The advisories that affect what runs, and the smallest step out of them. */
export interface RunningSecurity extends AffectedVersion {
  advisories: AdvisoryStep[]
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
  const { advisories, undecided } = book.of({ version: current, isLine, yearsAreLater })
  if (advisories.length === 0) return { advisories: [], undecided, fixedInLine: undefined, fixedIn: undefined }
  const asRunning = ({ version }: Release) => ({ version, isLine: false, yearsAreLater })
  const isClean = (release: Release) => book.isClean(asRunning(release))
  const ofLine = verdict.newer.filter((release) => isInOwnLine(release, current))
  const fixedInLine = ofLine.findLast(isClean)
  return {
    advisories: advisories.map((advisory) => ({
      ...advisory,
      fixedInLine: ofLine.findLast((release) => book.isFreeOf(advisory.id, asRunning(release))),
    })),
    undecided,
    fixedInLine,
    fixedIn: fixedInLine ?? verdict.newer.findLast(isClean),
  }
}

/** A tag that is not counted like the releases may be a build number, which is above every range. */
function isReadable(stable: readonly Release[], { mode }: Verdict): boolean {
  return mode !== 'none' || stable.length === 0
}

function isInOwnLine({ version }: Release, current: Version): boolean {
  const length = lineLength(current, version)
  return length > 0 && isInLine(version, current, length)
}

/** Of advisories with the worst first. `none` where there are none, null where nobody rates them. */
export function worstOf(advisories: readonly KnownAdvisory[]): Severity | null {
  const [worst] = advisories
  return worst ? worst.severity : 'none'
}

import type { Severity } from '../contract/shape.ts'
import type { AdvisoryBook, KnownAdvisory } from './affected.ts'
import type { AssessedItem, RunningSecurity } from './assessed.ts'
import { isInLine, lineLength } from './newer-releases.ts'
import type { CatalogFacts } from './prepare-catalog.ts'
import type { DatedRelease, ReleaseList } from './releases.ts'
import type { AssessmentSubject } from './subject.ts'
import type { VersionVerdict } from './verdict.ts'
import { isCalendar, type Version } from './versions.ts'

/** Advisories affect the app that a chart installs, whose version the chart's own does not state. */
export function advisoryBookOf({ type, match }: AssessmentSubject, known: CatalogFacts): AdvisoryBook | undefined {
  return match.project && type !== 'helm_chart' ? known.advisoriesOf(match.project.id) : undefined
}

/** Undefined where the version does not compare with the project's releases. */
export function securityOf(
  subject: AssessmentSubject,
  verdict: VersionVerdict,
  book: AdvisoryBook,
): RunningSecurity | undefined {
  const { current, releases } = subject
  if (!releases || !current || !hasComparableVersion({ ...subject, verdict })) return undefined
  const { stable } = releases.list
  const yearsAreLater = countsYears(releases.list)
  // Without releases, the usual count of numbers in a version is unknown.
  const isLine = verdict.mode === 'line' || (stable.length === 0 && current.segments.length < 3)
  const running = { version: current, isLine, yearsAreLater }
  const { advisories, undecided } = book.of(running)
  if (advisories.length === 0) return { advisories: [], undecided, fixedInLine: undefined, fixedIn: undefined, running }
  const asRunning = ({ version }: DatedRelease) => ({ version, isLine: false, yearsAreLater })
  const isClean = (release: DatedRelease) => book.isClean(asRunning(release))
  const ofLine = [
    ...(verdict.lastOfLine ? [verdict.lastOfLine] : []),
    ...verdict.newer.filter((release) => isInOwnLine(release, current)),
  ]
  const fixedInLine = ofLine.findLast(isClean)
  return {
    advisories: advisories.map((advisory) => ({
      ...advisory,
      fixedInLine: ofLine.findLast((release) => book.isFreeOf(advisory.id, asRunning(release))),
    })),
    undecided,
    fixedInLine,
    fixedIn: fixedInLine ?? verdict.newer.findLast(isClean),
    running,
  }
}

/** The advisories that affect what runs, and that a newer release of it is free of. */
export function fixedBy({ security, advisoryBook, releases }: AssessedItem, release: DatedRelease): KnownAdvisory[] {
  if (!security || !advisoryBook) return []
  const asRunning = { version: release.version, isLine: false, yearsAreLater: countsYears(releases?.list) }
  return security.advisories.filter(({ id }) => advisoryBook.isFreeOf(id, asRunning))
}

function countsYears(list: ReleaseList | undefined): boolean {
  return list?.newest !== undefined && isCalendar(list.newest.version)
}

/** A tag that is not counted like the releases may be a build number, which is above every range. */
export function hasComparableVersion({
  type,
  current,
  releases,
  verdict,
}: AssessmentSubject & Pick<AssessedItem, 'verdict'>): boolean {
  if (type === 'helm_chart' || !current || !releases) return false
  return verdict.mode !== 'none' || releases.list.stable.length === 0
}

/** A floating tag is a line itself. */
function isInOwnLine({ version }: DatedRelease, current: Version): boolean {
  const { length: own } = current.segments
  const length = own < version.segments.length ? Math.min(2, own) : lineLength(current, version)
  return length > 0 && isInLine(version, current, length)
}

/** Highest severity of advisories sorted by severity. `none` without advisories, null if none is rated. */
export function worstOf(advisories: readonly KnownAdvisory[]): Severity | null {
  const [worst] = advisories
  return worst ? worst.severity : 'none'
}

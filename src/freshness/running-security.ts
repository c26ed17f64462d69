import type { Severity } from '../contract/shape.ts'
import type { ReleaseFault } from '../contract/state-facts.ts'
import { type AdvisoryBook, byUrgency, type KnownAdvisory } from './affected.ts'
import type { RunningSecurity } from './affecting.ts'
import type { AssessedItem } from './assessed.ts'
import type { CatalogFacts } from './prepare-catalog.ts'
import type { DatedRelease, ReleaseList } from './releases.ts'
import type { NewerLines } from './steps/steps-of-subject.ts'
import type { AssessmentSubject } from './subject.ts'
import type { VersionVerdict } from './verdict.ts'
import { compareStages, isCalendar, type Version } from './versions.ts'

/** Advisories are about the app that a chart installs, whose version the chart's own version does not state. */
export function toAdvisoryBook({ type, match }: AssessmentSubject, known: CatalogFacts) {
  return match.project && type !== 'helm_chart' ? known.advisoriesFor(match.project.id) : undefined
}

/** Undefined if the version is not comparable with the project's releases, or too few advisories are known. */
export function toSecurity(
  subject: AssessmentSubject,
  { verdict, lines }: { verdict: VersionVerdict; lines: NewerLines | undefined },
  book: AdvisoryBook,
): RunningSecurity | undefined {
  const { current, releases, match } = subject
  if (!releases || !current || !hasComparableVersion({ ...subject, verdict })) return undefined
  const { stable } = releases.list
  const yearsAreLater = countsYears(releases.list)
  // Without releases, the usual number of parts in a version is unknown.
  const isLine = verdict.mode === 'line' || (stable.length === 0 && current.segments.length < 3)
  const running = { version: current, isLine, yearsAreLater }
  const { advisories, undecided } = book.of(running)
  if (advisories.length === 0 && isBeforeFacts(current, releases.list, match.project?.advisoriesSince)) return undefined
  const ofLine = lines?.lines.find(({ key }) => key === lines.own.key)?.releases ?? []
  const isFree = ({ id }: KnownAdvisory, { version }: DatedRelease) =>
    book.isFreeOf(id, { version, isLine: false, yearsAreLater })
  return {
    advisories: advisories.map((advisory) => ({
      ...advisory,
      fixedInLine: ofLine.findLast((release) => isFree(advisory, release)),
    })),
    undecided,
    running,
  }
}

/** Adds the advisory about a faulty release, whose own ranges may be about the project's releases rather than its images. */
export function withFaultAdvisory(
  security: RunningSecurity,
  fault: ReleaseFault | undefined,
  { advisories: known }: AdvisoryBook,
) {
  const id = fault?.advisory
  const found = id === undefined ? undefined : known.find((each) => each.id === id || each.aliases.includes(id))
  if (!found || security.advisories.some((each) => each.id === found.id)) return security
  const added = { ...found, fixedIn: null, fixedInLine: undefined }
  return {
    ...security,
    advisories: [...security.advisories, added].sort(byUrgency),
    undecided: security.undecided.filter((each) => each.id !== found.id),
  }
}

/** No advisory was found, but not all about such an old version are known. `since` null: only some are known at all. */
function isBeforeFacts(current: Version, { all }: ReleaseList, since: string | null | undefined) {
  if (since === undefined) return false
  if (since === null) return true
  const release = all.find(({ version }) => compareStages(version, current) <= 0)
  return release === undefined ? all.length > 0 : release.publishedAt < Date.parse(since) / 1000
}

/** Advisories that affect the running version and that a newer release fixes. */
export function fixedBy(one: AssessedItem, release: DatedRelease): KnownAdvisory[] {
  return one.security?.advisories.filter(({ id }) => isFreeOf(id, release, one)) ?? []
}

/** Whether an advisory does not affect a release of the running project. */
export function isFreeOf(id: string, { version }: DatedRelease, { advisoryBook, releases }: AssessedItem) {
  return advisoryBook?.isFreeOf(id, { version, isLine: false, yearsAreLater: countsYears(releases?.list) }) === true
}

function countsYears(list: ReleaseList | undefined) {
  return list?.newest !== undefined && isCalendar(list.newest.version)
}

/** A tag numbered differently from the releases may be a build number, which is above every range. */
export function hasComparableVersion({
  type,
  current,
  releases,
  verdict,
}: AssessmentSubject & Pick<AssessedItem, 'verdict'>) {
  if (type === 'helm_chart' || !current || !releases) return false
  return verdict.mode !== 'none' || releases.list.stable.length === 0
}

/** Highest severity of advisories sorted by severity. `none` without advisories, null if none is rated. */
export function worstOf(advisories: readonly KnownAdvisory[]): Severity | null {
  const [worst] = advisories
  return worst ? worst.severity : 'none'
}

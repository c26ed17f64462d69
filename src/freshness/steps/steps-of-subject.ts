import { type EndedBase, endedBase } from '../../lifecycle/code-names.ts'
import { offeringCycles } from '../../lifecycle/offering-cycles.ts'
import { daySeconds } from '../../util/time.ts'
import { withoutStop } from '../../util/words.ts'
import type { AdvisoryBook } from '../affected.ts'
import type { RunningSecurity } from '../affecting.ts'
import type { CycleOf } from '../cycle-of.ts'
import type { CatalogFacts } from '../prepare-catalog.ts'
import type { DatedRelease, ReleaseList } from '../releases.ts'
import type { ArtifactStates } from '../states.ts'
import { type AssessmentSubject, isByApp } from '../subject.ts'
import type { VersionVerdict } from '../verdict.ts'
import { compareStages } from '../versions.ts'
import { type FoundSteps, findSteps, noSteps, type StepQuestion } from './find-steps.ts'
import type { StepPlace } from './place.ts'
import { lineKey, lineNumbers, type ReleaseLine, toLines } from './release-lines.ts'
import { StepEffects } from './step-effect.ts'
import { findMissingStop, findPath, type UpgradeMap } from './upgrade-path.ts'

/** Newer releases that may be suggested. */
export interface NewerLines {
  /** Newest first. */
  lines: ReleaseLine[]
  /** The line of the running version. */
  own: Pick<ReleaseLine, 'key' | 'cycle'>
}

/** Undefined if there are none. */
export function newerLinesFor(
  { current, offering }: AssessmentSubject,
  verdict: VersionVerdict,
  cycleFor: CycleOf,
): NewerLines | undefined {
  const { family, newer, lastOfLine } = verdict
  if (!current || !family || newer.length === 0) return undefined
  const cycle = cycleFor(current)
  const own = { key: lineKey(current, cycle, lineNumbers(family, current)), cycle }
  const all = newerOf(toLines(family, { cycleFor, offering }, current), newer)
  // A cluster can only be upgraded to versions that its offering has.
  const isOffered = ({ key, cycle }: ReleaseLine) => cycle !== undefined || key === own.key
  const lines = offering !== undefined && offeringCycles(offering) ? all.filter(isOffered) : all
  return { lines: lastOfLine ? withLast(lines, lastOfLine, own) : lines, own }
}

/** Lines are sorted, so at most one is only partly newer. */
function newerOf(lines: readonly ReleaseLine[], newer: readonly DatedRelease[]) {
  const isNewer = new Set(newer)
  const found: ReleaseLine[] = []
  for (const line of lines) {
    if (isNewer.has(line.releases.at(-1)!)) {
      found.push(line)
      continue
    }
    const releases = line.releases.filter((release) => isNewer.has(release))
    if (releases.length > 0) found.push({ ...line, releases })
    break
  }
  return found
}

/** The last release of the running line may be missing from the catalog. */
function withLast(lines: ReleaseLine[], last: DatedRelease, { key, cycle }: NewerLines['own']) {
  const own = lines.find((line) => line.key === key)
  if (!own) return [...lines, { key, cycle, releases: [last] }]
  const releases = [last, ...own.releases].sort((a, b) => compareStages(b.version, a.version))
  return lines.map((line) => (line === own ? { ...line, releases } : line))
}

interface Judged {
  lines: NewerLines | undefined
  security: RunningSecurity | undefined
  advisoryBook: AdvisoryBook | undefined
  place: StepPlace
  states: ArtifactStates
}

export const noFoundSteps: FoundSteps = { ...noSteps, because: [] }

/**
 * Finds steps from the running version, by all known facts, which takes most of an assessment. `question`: its input, if
 * newer versions may be suggested.
 */
export function stepsOfSubject(subject: AssessmentSubject, judged: Judged, known: CatalogFacts) {
  const { current, releases } = subject
  const { lines, security, advisoryBook, place, states } = judged
  if (!lines || !current || !releases) return { find: () => noFoundSteps }
  if (isByApp(subject)) {
    const app = `${releases.of} ${releases.list.newest?.version.bare}`
    return { find: () => ({ ...noSteps, because: [`look for a version of the chart ${subject.chart} with ${app}`] }) }
  }
  if (place.isClosed) {
    return { find: () => ({ ...noSteps, because: [closedText(place), ...otherImages(subject, known)] }) }
  }
  const project = subject.match.project?.slug ?? ''
  const base = endedBase(current.variant.split(/[-.]/), { project, today: known.today })
  const built = base ? builtUntil(base, lines) : lines.lines
  const map = mapOf(subject, releases.list, known)
  const question: StepQuestion = {
    lines: built,
    ownLine: lines.own,
    effects: new StepEffects(security, advisoryBook),
    mustLeave: states.reasons.some(({ state }) => state === 'compromised' || state === 'withdrawn'),
    pathTo: (release) => findPath(current, release.version, map),
    missingOn: (release) => findMissingStop(current, release.version, map),
  }
  if (!base || built === lines.lines) return { find: () => findSteps(question), question }
  const find = () => {
    const steps = findSteps(question)
    const text = `images on ${base.name} are built for no release after ${base.end}: take another base`
    return { ...steps, because: [text, ...steps.because] }
  }
  return { find, question }
}

/**
 * Releases of the running line, and others that justify a switch if the base image is unsupported. Returns the same list if
 * all qualify.
 */
function builtUntil({ end }: EndedBase, { lines, own }: NewerLines) {
  const after = Date.parse(end) / 1000 + daySeconds
  const isBuilt = ({ publishedAt }: DatedRelease) => publishedAt < after
  const isWorthwhile = ({ key, cycle }: ReleaseLine) => key === own.key || !cycle?.is_eol
  if (lines.every((line) => isWorthwhile(line) && line.releases.every(isBuilt))) return lines
  return lines.filter(isWorthwhile).flatMap((line) => {
    const releases = line.releases.filter(isBuilt)
    return releases.length === 0 ? [] : { ...line, releases }
  })
}

function closedText({ facts }: StepPlace) {
  const { repository, since, what } = facts.at(-1)!
  return `no new version comes to ${repository}${since === undefined ? '' : ` since ${since}`}: ${withoutStop(what)}`
}

/** Other builds are no upgrade of this one, so they are only mentioned. */
function otherImages({ type, match: { project } }: AssessmentSubject, { facts, today }: CatalogFacts) {
  if (type !== 'image' || !project) return []
  const open = project.imageRepositories.filter(
    (repository) => facts.repositories.placeFor(repository, today).facts.length === 0 && !rebuilt.test(repository),
  )
  return open.length === 0 ? [] : [`other images of ${project.name}: ${open.slice(0, 3).join(', ')}`]
}

const rebuilt = /\/(?:bitnami|rancher|mirrored)/

/** The rules are about the project's own versions, which may differ from those of a chart. */
function mapOf(
  { type, match: { project } }: AssessmentSubject,
  list: ReleaseList,
  { facts, book }: CatalogFacts,
): UpgradeMap {
  const { stable } = list
  const rules = project ? facts.toRules(project.slug) : []
  if (!project || type !== 'helm_chart' || rules.length === 0) return { rules, releases: stable }
  const app = book.app(project)
  if (!sharesVersions(list, app)) return { rules: [], releases: stable }
  // The catalog may know older releases of the app than of its charts.
  const known = new Set(stable.map(({ version }) => version.core))
  const others = app.stable.filter(({ version }) => !known.has(version.core))
  return { rules, releases: [...stable, ...others].sort((a, b) => compareStages(b.version, a.version)) }
}

/** Charts released with the same tag as their app have its version. */
function sharesVersions({ stable }: ReleaseList, app: ReleaseList) {
  const versions = new Set(app.stable.map(({ version }) => version.core))
  return stable.filter(({ version }) => versions.has(version.core)).length * 2 > stable.length
}

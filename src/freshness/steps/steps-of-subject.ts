import type { AdvisoryBook } from '../affected.ts'
import type { RunningSecurity } from '../affecting.ts'
import type { CycleOf } from '../cycle-of.ts'
import type { CatalogFacts } from '../prepare-catalog.ts'
import type { DatedRelease, ReleaseList } from '../releases.ts'
import type { ArtifactStates } from '../states.ts'
import type { AssessmentSubject } from '../subject.ts'
import type { VersionVerdict } from '../verdict.ts'
import { compareStages } from '../versions.ts'
import { type FoundSteps, findSteps, noSteps, type StepQuestion } from './find-steps.ts'
import type { StepPlace } from './place.ts'
import { lineKey, lineNumbers, linesOf, type ReleaseLine } from './release-lines.ts'
import { StepEffects } from './step-effect.ts'
import { findPath } from './upgrade-path.ts'

/** The releases after what runs that may be named. */
export interface NewerLines {
  /** Newest first. */
  lines: ReleaseLine[]
  /** The line of what runs. */
  own: Pick<ReleaseLine, 'key' | 'cycle'>
}

interface Measured {
  verdict: VersionVerdict
  cycleOf: CycleOf
}

/** Undefined where there are none. */
export function newerLinesOf({ current }: AssessmentSubject, { verdict, cycleOf }: Measured): NewerLines | undefined {
  const { family, newer, lastOfLine } = verdict
  if (!current || !family || newer.length === 0) return undefined
  const cycle = cycleOf(current)
  const own = { key: lineKey(current, cycle, lineNumbers(family, current)), cycle }
  const lines = newerOf(linesOf(family, cycleOf, current), newer)
  return { lines: lastOfLine ? withLast(lines, lastOfLine, own) : lines, own }
}

/** Lines are sorted, so that only one of them is newer in part. */
function newerOf(lines: readonly ReleaseLine[], newer: readonly DatedRelease[]): ReleaseLine[] {
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

/** The last release of the running line may be one that the catalog lacks. */
function withLast(lines: ReleaseLine[], last: DatedRelease, { key, cycle }: NewerLines['own']): ReleaseLine[] {
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

/** The steps from what runs, by everything that is known of it, and the question that they answer. */
export function stepsOfSubject(
  subject: AssessmentSubject,
  judged: Judged,
  known: CatalogFacts,
): { steps: FoundSteps; question?: StepQuestion | undefined } {
  const { current, releases } = subject
  const { lines, security, advisoryBook, place, states } = judged
  if (!lines || !current || !releases) return { steps: noFoundSteps }
  if (place.isClosed) {
    return { steps: { ...noSteps, because: [closedText(place), ...otherImages(subject, known)] } }
  }
  const map = {
    rules: rulesFor(subject, known),
    releases: releases.list.stable,
  }
  const question: StepQuestion = {
    lines: lines.lines,
    ownLine: lines.own,
    effects: new StepEffects(security, advisoryBook),
    mustLeave: states.reasons.some(({ state }) => state === 'compromised' || state === 'withdrawn'),
    pathTo: (release) => findPath(current, release.version, map),
  }
  return { steps: findSteps(question), question }
}

function closedText({ facts }: StepPlace): string {
  const { repository, since, what } = facts.at(-1)!
  return `no new version comes to ${repository}${since === undefined ? '' : ` since ${since}`}: ${what.replace(/\.$/, '')}`
}

/** Other builds are no upgrade of this one, so that they are only named. */
function otherImages({ type, match: { project } }: AssessmentSubject, { facts, today }: CatalogFacts): string[] {
  if (type !== 'image' || !project) return []
  const open = project.imageRepositories.filter(
    (repository) => facts.repositories.placeOf(repository, today).facts.length === 0 && !isRebuild(repository),
  )
  return open.length === 0 ? [] : [`other images of ${project.name}: ${open.slice(0, 3).join(', ')}`]
}

const isRebuild = (repository: string) => /\/(?:bitnami|rancher|mirrored)/.test(repository)

/** The rules are about the project's own versions, which those of a chart may not be. */
function rulesFor({ type, match: { project }, releases }: AssessmentSubject, { facts, book }: CatalogFacts) {
  if (!project) return []
  const rules = facts.rulesOf(project.slug)
  if (type !== 'helm_chart' || rules.length === 0) return rules
  return sharesVersions(releases!.list, book.app(project)) ? rules : []
}

/** Charts that are cut from one tag with their app have its versions. */
function sharesVersions({ stable }: ReleaseList, app: ReleaseList): boolean {
  const versions = new Set(app.stable.map(({ version }) => version.core))
  const shared = stable.filter(({ version }) => versions.has(version.core)).length
  return shared * 2 > stable.length
}

import type { Eol } from '../../contract/eol.ts'
import type { KnownAdvisory } from '../affected.ts'
import type { DatedRelease } from '../releases.ts'
import type { ReleaseLine } from './release-lines.ts'
import { compareWeights, isAcceptable, isUrgent, type StepEffect, type StepEffects } from './step-effect.ts'
import type { UpgradePath } from './upgrade-path.ts'

/** The running version, and all data to check steps from it. */
export interface StepQuestion {
  /** Newer releases by line, newest first. */
  lines: ReleaseLine[]
  /** The line of the running version. */
  ownLine: { key: string; cycle: Eol | undefined }
  effects: StepEffects
  /** The running version must be replaced, whatever its advisories are. */
  mustLeave: boolean
  /** Undefined if the project's rules give no known path to it. */
  pathTo(release: DatedRelease): UpgradePath | undefined
  /** The first stop on the path that the catalog lacks, such as `1.35`. */
  missingOn(release: DatedRelease): string | undefined
}

export interface FoundStep extends StepEffect, UpgradePath {
  release: DatedRelease
  /** Release cycle of the release. */
  cycle: Eol | undefined
}

export interface FoundSteps {
  /** The smallest step that fixes all critical, high or exploited advisories, else most of them. */
  urgent: FoundStep | undefined
  /** The smallest step that leaves no known advisory. */
  clean: FoundStep | undefined
  /** The newest release of the running line. */
  line: FoundStep | undefined
  /** The newest release of the next supported line. */
  next: FoundStep | undefined
  newest: FoundStep | undefined
  /** Why there is no step, in sentences without their period. */
  because: string[]
}

export const noSteps = { urgent: undefined, clean: undefined, line: undefined, next: undefined, newest: undefined }

/** Finds the recommended versions; the only place that decides them. */
export function findSteps(question: StepQuestion): FoundSteps {
  const { lines, ownLine } = question
  const supported = supportedOf(lines)
  const open = lines.filter((line) => line.key === ownLine.key || supported.includes(line))
  const found = {
    urgent: urgentStep(question, open),
    clean: cleanStep(question, open) ?? cleanStep(question, lines),
    line: bestOf(
      question,
      lines.filter(({ key }) => key === ownLine.key),
    ),
    next: nextStep(question, supported),
    newest: bestOf(question, supported) ?? bestOf(question, lines),
  }
  return { ...found, because: whyNone(found, question) }
}

/** The newest acceptable step to one of the wanted releases, checked like every other step. */
export function stepTo(question: StepQuestion, isWanted: (release: DatedRelease) => boolean) {
  return bestOf(question, linesWith(question, isWanted))
}

/** Why none of the wanted releases is an acceptable step, without its period; undefined if there are none. */
export function whyNoStepTo(question: StepQuestion, isWanted: (release: DatedRelease) => boolean) {
  return whyNone({ ...noSteps }, { ...question, lines: linesWith(question, isWanted) })[0]
}

function linesWith({ lines }: StepQuestion, isWanted: (release: DatedRelease) => boolean) {
  return lines
    .map((line) => ({ ...line, releases: line.releases.filter(isWanted) }))
    .filter(({ releases }) => releases.length > 0)
}

/** Support of an unlisted line is unknown; it counts as the newest only if above all listed ones. */
function supportedOf(lines: ReleaseLine[]) {
  const firstListed = lines.findIndex(({ cycle }) => cycle)
  return lines.filter(({ cycle }, index) => (cycle ? !cycle.is_eol : firstListed < 0 || index < firstListed))
}

/** Within the running and supported lines, if any release there helps. */
function urgentStep(question: StepQuestion, open: ReleaseLine[]) {
  const { effects, mustLeave, lines } = question
  const urgent = effects.affecting.filter(isUrgent)
  if (urgent.length === 0 && !mustLeave) return undefined
  return (
    withoutGains(question, freeOf(effects, open, urgent)) ??
    withoutGains(question, freeOf(effects, lines, urgent)) ??
    leastUrgent(question, ascendingOf(open)) ??
    leastUrgent(question, ascendingOf(lines))
  )
}

/** Releases without these advisories, smallest version first. */
function* freeOf(effects: StepEffects, lines: ReleaseLine[], advisories: readonly KnownAdvisory[]): Generator<Placed> {
  for (const placed of ascendingOf(lines)) if (effects.isFreeOf(placed.release, advisories)) yield placed
}

function withoutGains(question: StepQuestion, candidates: Iterable<Placed>) {
  for (const placed of candidates) {
    const step = tryStep(question, placed)
    if (step?.gains.length === 0) return step
  }
  return undefined
}

/** The first release that leaves the fewest urgent advisories, if it fixes any or the running version must be replaced. */
function leastUrgent(question: StepQuestion, ascending: Placed[]) {
  let best: { step: FoundStep; urgent: KnownAdvisory[] } | undefined
  for (const placed of ascending) {
    const step = tryStep(question, placed)
    if (!step || !(question.mustLeave || step.fixes.some(isUrgent))) continue
    const urgent = [...step.leaves, ...step.gains].filter(isUrgent)
    if (!best || compareWeights(urgent, best.urgent) < 0) best = { step, urgent }
  }
  return best?.step
}

function cleanStep({ effects, ...question }: StepQuestion, lines: ReleaseLine[]) {
  if (effects.affecting.length === 0) return undefined
  return withoutGains({ effects, ...question }, freeOf(effects, lines, effects.affecting))
}

/** The first line without new advisories; from a line with long-term support to the next such line, if there is one. */
function nextStep(question: StepQuestion, supported: ReleaseLine[]) {
  const { key, cycle } = question.ownLine
  const above = supported.filter((line) => line.key !== key).reverse()
  const long = cycle?.is_lts ? above.filter((line) => line.cycle?.is_lts) : []
  const wanted = long.length > 0 ? long : cycle?.is_lts && !cycle.is_eol ? [] : above
  let first: FoundStep | undefined
  for (const line of wanted) {
    const step = bestOf(question, [line])
    if (step?.gains.length === 0) return step
    first ??= step
  }
  return first
}

interface Placed {
  release: DatedRelease
  cycle: Eol | undefined
}

function ascendingOf(lines: ReleaseLine[]): Placed[] {
  return lines
    .toReversed()
    .flatMap(({ releases, cycle }) => releases.toReversed().map((release) => ({ release, cycle })))
}

/** The newest release without new advisories, else the one that fixes most. */
function bestOf(question: StepQuestion, lines: ReleaseLine[]) {
  let best: FoundStep | undefined
  for (const placed of lines.flatMap(({ releases, cycle }) => releases.map((release) => ({ release, cycle })))) {
    const step = tryStep(question, placed)
    if (!step) continue
    if (step.gains.length === 0) return step
    if (!best || compareWeights(step.fixes, best.fixes) > 0) best = step
  }
  return best
}

/** Undefined for a release that must not be suggested. */
function tryStep({ effects, pathTo }: StepQuestion, { release, cycle }: Placed): FoundStep | undefined {
  const effect = effects.of(release)
  if (!isAcceptable(effect)) return undefined
  const path = pathTo(release)
  return path && { release, cycle, ...effect, ...path }
}

function whyNone({ newest }: Omit<FoundSteps, 'because'>, question: StepQuestion) {
  const [top] = question.lines[0]?.releases ?? []
  if (newest || !top) return []
  const { gains } = question.effects.of(top)
  const ids = gains
    .slice(0, 3)
    .map(({ id }) => id)
    .join(', ')
  if (gains.length > 0)
    return [
      `every newer release has an advisory that the running version lacks, and fixes none that is worse: ${top.version.text} has ${ids}`,
    ]
  const missing = question.missingOn(top) ?? 'a version'
  return [`the catalog lacks ${missing}, which no way to ${top.version.text} may skip`]
}

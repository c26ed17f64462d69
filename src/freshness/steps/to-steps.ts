import { countAdvisories, type Step, type Steps } from '../../contract/step.ts'
import { chooseStep } from '../../lifecycle/step-text.ts'
import { remember } from '../../util/remember.ts'
import { withoutStop } from '../../util/words.ts'
import type { AssessedItem } from '../assessed.ts'
import { patchNotes } from '../distribution.ts'
import { written, writtenLine } from '../verdict.ts'
import type { Version } from '../versions.ts'
import { type FoundStep, stepTo, whyNoStepTo } from './find-steps.ts'
import { repositoryOfStep, tagLike } from './place.ts'

/** Converts steps to the contract's form, in the format of the running version. */
export function toSteps(assessed: AssessedItem): Steps {
  const { urgent, clean, line, next, newest } = assessed.steps
  // Cached, because most of them are the same step.
  const made = new Map<FoundStep['release'], Step>()
  const step = (found: FoundStep | undefined) =>
    found ? remember(made, found.release, () => toStep(found, assessed)) : null
  return { urgent: step(urgent), clean: step(clean), line: step(line), next: step(next), newest: step(newest) }
}

/**
 * The newest acceptable step to one of the wanted versions, with this version as in the catalog and the intermediate ones on
 * the way; undefined if there is none.
 */
export function stepToWanted(assessed: AssessedItem, isWanted: (version: Version) => boolean) {
  const { question } = assessed
  const found = question && stepTo(question, ({ version }) => isWanted(version))
  if (!found) return undefined
  const stops = found.via.map(({ version }) => version)
  return { step: toStep(found, assessed), release: found.release.version, stops, support: found.cycle }
}

/** Why none of the wanted versions is an acceptable step, without its period; undefined if there are none. */
export function whyNotWanted({ question, releases }: AssessedItem, isWanted: (version: Version) => boolean) {
  const why = question && whyNoStepTo(question, ({ version }) => isWanted(version))
  if (why !== undefined) return why
  const release = releases?.list.all.find(({ version, fault }) => fault && isWanted(version))
  if (!release?.fault) return undefined
  const { reason, safe } = release.fault
  const end = safe === undefined ? '' : `; ${safe} is the first without this fault`
  return `${release.version.text}: ${withoutStop(reason)}${end}`
}

/** The recommended step. */
export function stepFor(assessed: AssessedItem) {
  return chooseStep(toSteps(assessed), assessed.support) ?? null
}

export function toStep(found: FoundStep, assessed: AssessedItem): Step {
  const { place, verdict, installedBy } = assessed
  const current = assessed.current!
  const write = (version: Version) =>
    verdict.mode === 'line' ? writtenLine(version, current) : written(version, current)
  const version = write(found.release.version)
  const repository = repositoryOfStep(place, found.release)
  const tag = repository === undefined ? undefined : tagLike(current, version)
  const chart = place.chart ?? installedBy?.name
  return {
    version,
    ...(tag !== undefined && { image: `${repository}:${tag}` }),
    ...(chart !== undefined && { chart }),
    via: found.via.map((release) => write(release.version)),
    fixes: countAdvisories(found.fixes),
    leaves: countAdvisories(found.leaves),
    gains: found.gains.map(({ id }) => id),
    because: becauseOf(found, assessed),
    ...outOfSupport(found, assessed),
  }
}

function becauseOf({ notes, release }: FoundStep, assessed: AssessedItem) {
  const { place, states } = assessed
  const moved = place.facts.findLast(({ moved_to }) => moved_to !== undefined)?.moved_to
  return [
    ...notes,
    ...(moved === undefined ? [] : [`New versions are at ${moved}.`]),
    ...states.notes.flatMap(({ kind, what }) => (kind === 'paid' ? [what] : [])),
    ...patchNotes(release, assessed),
    ...(release.id === 0 ? ['endoflife.date names this version, which the catalog lacks.'] : []),
  ]
}

const outOfSupport = ({ cycle }: FoundStep, { match }: AssessedItem) =>
  cycle?.is_eol ? { out_of_support: { ...cycle, name: `${match.project!.name} ${cycle.cycle}` } } : {}

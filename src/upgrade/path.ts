import type { ProjectPath } from '../contract/upgrade.ts'
import { successorsText } from './answer-part.ts'
import { compareLines } from './line.ts'
import type { Numbered, PartStep, PlanPart } from './part.ts'
import { type StepKnowledge, stepOfPart } from './step-of-part.ts'

interface PathTarget {
  /** The version as typed. */
  text: string
  segments: readonly string[]
}

/** The path of one project to a version, or to its newest acceptable one: a step for each stop. */
export function toPath(
  part: PlanPart,
  to: PathTarget | undefined,
  known: StepKnowledge,
): Omit<ProjectPath, 'success' | 'catalog_date'> {
  const isWanted = ({ segments }: Numbered) => to === undefined || isOf(segments, to)
  const found = part.stepTo(isWanted)
  const about = { project_slug: part.slug, name: part.name, from: part.version ?? '' }
  const chart = part.chartNote === undefined ? [] : [part.chartNote]
  if (!found) return { ...about, to: null, because: [...whyNoPath(part, to), ...chart], steps: [] }
  const steps = stepsThrough(part, found).map(({ at, step }, index) => ({
    number: index + 1,
    ...stepOfPart(at, step, [], known),
  }))
  return { ...about, to: found.version, because: chart, steps }
}

/** A version belongs to a line that is its prefix. */
const isOf = (segments: readonly string[], { segments: wanted }: PathTarget) =>
  compareLines(segments.slice(0, wanted.length).join('.'), wanted.join('.')) === 0

function whyNoPath(part: PlanPart, to: PathTarget | undefined) {
  const states = part.states.map(({ what, successors }) => successorsText(what, successors))
  return [
    whyNone(part, to),
    ...(part.unmeasured === undefined ? [] : [`The version cannot be compared: ${part.unmeasured}.`]),
    ...states,
  ]
}

function whyNone(part: PlanPart, to: PathTarget | undefined) {
  const { name, version, numbers } = part
  const known = (what: string) => `The catalog knows ${what}`
  if (!to || !numbers)
    return withWhy(
      known(`no newer good release of ${name}`),
      part.whyNotTo(() => true),
    )
  const isWanted = ({ segments }: Numbered) => isOf(segments, to)
  const order = compareLines(to.segments.join('.'), numbers.segments.join('.'))
  if (order === 0) return `${name} is at ${version} already.`
  if (isOf(numbers.segments, to)) {
    return withWhy(known(`no newer good release of ${name} ${to.text}`), part.whyNotTo(isWanted))
  }
  if (order < 0) return `${to.text} is older than ${version}, and this command shows upgrades only.`
  if (part.hasRelease(isWanted)) {
    return withWhy(known(`no good release ${to.text} after ${version} of ${name}`), part.whyNotTo(isWanted))
  }
  const newest = part.stepTo(() => true)?.version
  return `The catalog lists no release ${to.text} of ${name}${newest === undefined ? '' : `; the newest good one is ${newest}`}.`
}

const withWhy = (text: string, why: string | undefined) => `${text}${why === undefined ? '' : `: ${why}`}.`

const isAt =
  ({ segments: wanted }: Numbered) =>
  ({ segments }: Numbered) =>
    segments.join('.') === wanted.join('.')

/** Each stop is a separate step, with its breaking changes; one that is no acceptable step by itself stays a stop. */
function stepsThrough(part: PlanPart, found: PartStep): { at: PlanPart; step: PartStep }[] {
  const [stop] = found.stops
  const first = stop && part.stepTo(isAt(stop))
  if (!first || first.via.length > 0) return [{ at: part, step: found }]
  const next = first.then()
  const rest = next.stepTo(isAt(found.numbers))
  if (!rest) return [{ at: part, step: found }]
  return [{ at: part, step: first }, ...stepsThrough(next, rest)]
}

import type { ProjectPath } from '../contract/upgrade.ts'
import { compareLines } from './line.ts'
import type { PartStep, PlanPart } from './part.ts'
import { type StepKnowledge, stepOfPart } from './step-of-part.ts'

type Path = Omit<ProjectPath, 'success' | 'catalog_date'>

/** The way of one project to a version, or to its newest good one: a step for each stop. */
export function toPath(part: PlanPart, to: string | undefined, known: StepKnowledge): Path {
  const wanted = to === undefined ? undefined : /\d+(?:\.\d+)*/.exec(to)?.[0]
  const isWanted = (segments: readonly string[]) =>
    wanted === undefined || compareLines(segments.slice(0, wanted.split('.').length).join('.'), wanted) === 0
  const found = part.stepTo(({ segments }) => isWanted(segments))
  const about = { project_slug: part.slug, name: part.name, from: part.version ?? '' }
  if (!found) {
    const what = to === undefined ? 'no newer good release' : `no good release ${to} after ${part.version}`
    const why = part.whyNotTo(({ segments }) => isWanted(segments))
    const because = `The catalog knows ${what} of ${part.name}${why === undefined ? '' : `: ${why}`}.`
    return { ...about, to: null, because: [because], steps: [] }
  }
  const steps = stepsThrough(part, found).map(({ at, step }, index) => ({
    number: index + 1,
    ...stepOfPart(at, step, [], known),
  }))
  return { ...about, to: found.version, because: [], steps }
}

/** Each stop is a step of its own, with what it breaks; one that is no good step by itself stays a stop. */
function stepsThrough(part: PlanPart, found: PartStep): { at: PlanPart; step: PartStep }[] {
  const [stop] = found.via
  const numbers = stop === undefined ? undefined : /\d+(?:\.\d+)*/.exec(stop)?.[0]
  const first = numbers === undefined ? undefined : part.stepTo(({ segments }) => segments.join('.') === numbers)
  if (!first || first.via.length > 0) return [{ at: part, step: found }]
  const next = first.then()
  const goal = /\d+(?:\.\d+)*/.exec(found.version)?.[0]
  const rest = next.stepTo(({ segments }) => segments.join('.') === goal)
  if (!rest) return [{ at: part, step: found }]
  return [{ at: part, step: first }, ...stepsThrough(next, rest)]
}

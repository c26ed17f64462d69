import type { Eol } from '../contract/eol.ts'
import { remember } from '../util/remember.ts'
import type { NewestOn } from './compatibility.ts'
import type { StepKnowledge } from './step-of-part.ts'

export interface PlanKnowledge extends StepKnowledge {
  /** Day of the catalog, `YYYY-MM-DD`. */
  date: string
  newestOn: NewestOn
  /** Released minor versions of Kubernetes, newest first; empty if unknown. */
  minors: readonly string[]
  /** Minor versions that an offering has. */
  minorsFor(offering: string | undefined): readonly string[]
  supportFor(minor: string, offering: string | undefined): Eol | undefined
}

const kept = new WeakMap<PlanKnowledge, Map<string, unknown>>()

/** Cache of results per facts and question. */
export function once<T>(known: PlanKnowledge, question: readonly (string | undefined)[], find: () => T) {
  return remember(
    remember(kept, known, () => new Map()),
    JSON.stringify(question),
    find,
  ) as T
}

import type { LookedAt } from '../contract/looked-at.ts'
import { type Assessed, type Exposure, exposureOf, type Question } from '../freshness/index.ts'
import type { AssessedRun, Running } from './running.ts'

export interface Exposed {
  run: Pick<AssessedRun, 'run' | 'seenAt'>
  one: Assessed
  question: Question
  exposure: Exposure
}

export interface Survey {
  /** Day of the oldest facts about what runs. */
  catalogDate: string
  clusters: NonNullable<LookedAt['clusters']>
  /** Projects that are known to run. */
  projectIds: number[]
}

/**
 * Asks the questions of everything that runs, and calls `onExposed` for each that concerns it. Impact and the feed both
 * rest on this, so that they agree.
 */
export function surveyRunning(
  running: Running,
  questionsOf: (one: Assessed) => Question[],
  onExposed: (exposed: Exposed) => void,
): Survey {
  const clusters: Survey['clusters'] = []
  const days = new Set<string>()
  const projectIds = new Set<number>()
  for (const { assessed, artifacts, known, run, seenAt } of running.runs) {
    const { cluster_name, environment, run_id } = run
    clusters.push({ cluster_name, environment, run_id, seen_at: seenAt, artifacts, known })
    for (const one of assessed) {
      days.add(one.catalogDate)
      projectIds.add(one.match.project!.id)
      for (const question of questionsOf(one)) {
        const exposure = exposureOf(one, question)
        if (exposure) onExposed({ run: { run, seenAt }, one, question, exposure })
      }
    }
  }
  return { catalogDate: [...days].sort()[0] ?? running.catalogDate, clusters, projectIds: [...projectIds] }
}

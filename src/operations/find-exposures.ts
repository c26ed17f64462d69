import type { AnswerCoverage } from '../contract/answer-coverage.ts'
import type { Coverage } from '../contract/cluster-report.ts'
import {
  type AssessedItem,
  CoverageCount,
  type Exposure,
  type ExposureQuestion,
  exposureOf,
} from '../freshness/index.ts'
import type { AssessedRun, RunningArtifacts } from './running-artifacts.ts'

export interface ExposedArtifact {
  run: Pick<AssessedRun, 'run' | 'seenAt'>
  one: AssessedItem
  question: ExposureQuestion
  exposure: Exposure
}

export interface ExposureSummary {
  /** Day of the oldest facts about what runs. */
  catalogDate: string
  clusters: NonNullable<AnswerCoverage['clusters']>
  /** Projects that are known to run. */
  projectIds: number[]
  coverage: Coverage
}

/**
 * Asks the questions of everything that runs, and calls `onExposed` for each that concerns it. Impact and the feed both
 * rest on this, so that they agree.
 */
export function findExposures(
  running: RunningArtifacts,
  questionsOf: (one: AssessedItem) => ExposureQuestion[],
  onExposed: (exposed: ExposedArtifact) => void,
): ExposureSummary {
  const clusters: ExposureSummary['clusters'] = []
  const days = new Set<string>()
  const projectIds = new Set<number>()
  const coverage = new CoverageCount()
  for (const ofRun of running.runs) {
    const { assessed, run, seenAt } = ofRun
    const { cluster_name, environment, run_id } = run
    const { artifacts, known } = ofRun.coverage
    clusters.push({ cluster_name, environment, run_id, seen_at: seenAt, artifacts, known })
    coverage.merge(ofRun.coverage)
    for (const day of ofRun.days) days.add(day)
    for (const id of ofRun.projectIds) projectIds.add(id)
    for (const one of assessed) {
      for (const question of questionsOf(one)) {
        const exposure = exposureOf(one, question)
        if (exposure) onExposed({ run: { run, seenAt }, one, question, exposure })
      }
    }
  }
  return {
    catalogDate: [...days].sort()[0] ?? running.catalogDate,
    clusters,
    projectIds: [...projectIds],
    coverage: coverage.result(),
  }
}

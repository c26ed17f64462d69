import type { AnswerCoverage } from '../../contract/answer-coverage.ts'
import type { Coverage } from '../../contract/freshness.ts'
import {
  type AssessedItem,
  CoverageCount,
  type Exposure,
  type ExposureQuestion,
  exposureFor,
} from '../../freshness/index.ts'
import type { AssessedRun, RunningArtifacts } from './running-artifacts.ts'

export interface Concern {
  question: ExposureQuestion
  exposure: Exposure
}

export interface ExposedArtifact {
  run: Pick<AssessedRun, 'run' | 'seenAt'>
  one: AssessedItem
  /** Never empty. Equal artifacts of several clusters share one array. */
  concerns: readonly Concern[]
}

export interface ExposureSummary {
  /** Day of the oldest facts about running artifacts. */
  catalogDate: string
  clusters: NonNullable<AnswerCoverage['clusters']>
  /** Projects that are running. */
  projectIds: number[]
  coverage: Coverage
}

/**
 * Evaluates the questions for all running artifacts, and calls `onExposed` for each that matches one. Impact and feed both
 * use it, so that they agree.
 */
export function findExposures(
  running: RunningArtifacts,
  toQuestions: (one: AssessedItem) => ExposureQuestion[],
  onExposed: (exposed: ExposedArtifact) => void,
): ExposureSummary {
  const clusters: ExposureSummary['clusters'] = []
  const projectIds = new Set<number>()
  const coverage = new CoverageCount()
  // The same artifact runs in many clusters, and looking up just the key is fastest.
  const found = new Map<string, { one: AssessedItem; concerns: Concern[] }[]>()
  for (const ofRun of running.runs) {
    const { assessed, run, seenAt } = ofRun
    const { cluster_name, environment, run_id } = run
    const { artifacts, known } = ofRun.coverage
    const exposedRun = { run, seenAt }
    clusters.push({ cluster_name, environment, run_id, seen_at: seenAt, artifacts, known })
    coverage.merge(ofRun.coverage)
    for (const id of ofRun.projectIds) projectIds.add(id)
    for (const one of assessed) {
      const namesakes = found.get(one.key) ?? []
      if (namesakes.length === 0) found.set(one.key, namesakes)
      const known = namesakes.find((each) => isSame(each.one, one))
      const concerns = known?.concerns ?? concernsFor(one, toQuestions(one))
      if (!known) namesakes.push({ one, concerns })
      if (concerns.length > 0) onExposed({ run: exposedRun, one, concerns })
    }
  }
  const covered = coverage.result()
  return {
    catalogDate: covered.catalog_at ?? running.catalogDate,
    clusters,
    projectIds: [...projectIds],
    coverage: covered,
  }
}

/** Whether two artifacts with the same key also have the same project and status. */
function isSame(a: AssessedItem, b: AssessedItem) {
  return a.type === b.type && a.match.project?.id === b.match.project?.id && a.verdict.status === b.verdict.status
}

function concernsFor(one: AssessedItem, questions: ExposureQuestion[]): Concern[] {
  return questions.flatMap((question) => {
    const exposure = exposureFor(one, question)
    return exposure ? [{ question, exposure }] : []
  })
}

import { daySeconds } from '../util/time.ts'
import { AdvisoryBook } from './affected.ts'
import type { CatalogView } from './catalog-view.ts'
import { noStateFacts, type StateFacts } from './facts/state-facts.ts'
import { indexProjects, type ProjectIndex } from './project-index.ts'
import { createReleaseBook, type ReleaseBook } from './releases.ts'
import type { AssessmentSubject } from './subject.ts'

/** The catalog, made ready for one assessment. */
export interface CatalogFacts {
  index: ProjectIndex
  book: ReleaseBook
  /** Undefined if no source knows whether the project has advisories. */
  advisoriesFor(projectId: number): AdvisoryBook | undefined
  endOfLifeFor: CatalogView['endOfLifeFor']
  managed: CatalogView['managed']
  facts: StateFacts
  /** Day of the catalog's facts, if no source has answered since; days are `YYYY-MM-DD`. */
  date: string
  /** For ends of support. */
  today: string
  /** Facts of before are old. */
  oldBefore: string
}

const oldAfterDays = 60

export function prepareCatalog(catalog: CatalogView, nowSeconds: number): CatalogFacts {
  const advisories = new Map<number, AdvisoryBook | undefined>()
  const facts = catalog.facts ?? noStateFacts
  return {
    index: indexProjects(catalog.projects),
    book: createReleaseBook((projectId) => catalog.releasesFor(projectId), facts),
    advisoriesFor(projectId) {
      if (!advisories.has(projectId)) {
        const found = catalog.advisoriesFor(projectId)
        advisories.set(projectId, found && new AdvisoryBook(found))
      }
      return advisories.get(projectId)
    },
    endOfLifeFor: catalog.endOfLifeFor,
    managed: catalog.managed,
    facts,
    date: catalog.date,
    today: toDay(nowSeconds),
    oldBefore: toDay(nowSeconds - oldAfterDays * daySeconds),
  }
}

const toDay = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10)

/** Day of what is known of an artifact's releases. */
export function factsDay(
  { date }: CatalogFacts,
  { type, match, releases }: Pick<AssessmentSubject, 'type' | 'match' | 'releases'>,
): string {
  const project = releases?.by ?? match.project
  const asOf = type === 'helm_chart' ? project?.chartsAsOf : project?.appsAsOf
  return asOf !== undefined && asOf > date ? asOf : date
}

import type { CatalogView } from './catalog-view.ts'
import { indexProjects, type ProjectIndex } from './project-index.ts'
import { createReleaseBook, type ReleaseBook } from './releases.ts'

/** The catalog, made ready for one assessment. */
export interface Known {
  index: ProjectIndex
  book: ReleaseBook
  endOfLifeOf: CatalogView['endOfLifeOf']
  /** Day of its facts, `YYYY-MM-DD`. */
  date: string
  /** `YYYY-MM-DD`, to tell what is beyond its end of life. */
  today: string
  /** Old facts make "up to date" less sure. */
  isOld: boolean
}

const oldAfterDays = 60

export function prepareCatalog(catalog: CatalogView, nowSeconds: number): Known {
  const ageDays = (nowSeconds - Date.parse(catalog.date) / 1000) / 86_400
  return {
    index: indexProjects(catalog.projects),
    book: createReleaseBook((projectId) => catalog.releasesOf(projectId)),
    endOfLifeOf: catalog.endOfLifeOf,
    date: catalog.date,
    today: new Date(nowSeconds * 1000).toISOString().slice(0, 10),
    isOld: ageDays > oldAfterDays,
  }
}

import type { ProjectFact } from '../../contract/state-facts.ts'
import { remember } from '../../util/remember.ts'
import type { Version } from '../versions.ts'
import { firstDay, lastDay } from './day.ts'
import { type LineTest, readLine } from './version-line.ts'

/** The running artifact, as needed to match facts about projects. */
export interface FactSubject {
  slug: string | undefined
  /** Fully qualified, most likely first; empty unless it is an image. */
  repositories: readonly string[]
  /** Name of the chart. */
  chart: string | undefined
  /** The tag or version as written. */
  tag: string | null
  version: Version | undefined
}

/** Facts about the fate of projects. */
export class ProjectStates {
  readonly #bySlug = new Map<string, ProjectFact[]>()
  readonly #byRepository = new Map<string, ProjectFact[]>()
  readonly #byChart = new Map<string, ProjectFact[]>()
  /** Lines are parsed lazily, because few facts are needed. */
  readonly #lines = new Map<ProjectFact, LineTest>()

  constructor(facts: readonly ProjectFact[]) {
    for (const fact of facts) {
      if (fact.slug !== undefined) add(this.#bySlug, fact.slug, fact)
      for (const repository of fact.image_repositories ?? []) add(this.#byRepository, repository, fact)
      for (const chart of fact.chart_names ?? []) add(this.#byChart, chart, fact)
    }
  }

  find({ slug, repositories, chart, tag, version }: FactSubject) {
    // Chart names are not unique: excludes another project's chart.
    const named = (chart === undefined ? [] : (this.#byChart.get(chart) ?? [])).filter(
      (fact) => fact.slug === undefined || slug === undefined || fact.slug === slug,
    )
    const ofProject = slug === undefined ? [] : (this.#bySlug.get(slug) ?? [])
    const found = [
      ...ofProject.filter((fact) => fact.chart === undefined || fact.chart === chart),
      ...repositories.flatMap((repository) => this.#ofRepository(repository)),
      ...named,
    ]
    return [...new Set(found)].filter((fact) => {
      const { line } = fact
      return line === undefined || remember(this.#lines, fact, () => readLine(line) ?? (() => false))(tag, version)
    })
  }

  /** Facts about all versions and charts of this project. */
  ofSlug(slug: string) {
    return (this.#bySlug.get(slug) ?? []).filter(({ line, chart }) => line === undefined && chart === undefined)
  }

  #ofRepository(repository: string) {
    for (let end = repository.length; end > 0; end = repository.lastIndexOf('/', end - 1)) {
      const found = this.#byRepository.get(repository.slice(0, end))
      if (found) return found
    }
    return []
  }
}

function add(index: Map<string, ProjectFact[]>, key: string, fact: ProjectFact) {
  index.set(key, [...(index.get(key) ?? []), fact])
}

/** Whether a fact ends something since a day; others are only remarks. */
export function isRetired({ state, since, security_fixes_until: until }: ProjectFact, today: string) {
  if (state === 'renamed' || state === 'license_changed') return false
  if (until !== undefined && lastDay(until) < today) return true
  return state !== 'maintenance' && (since === undefined || firstDay(since) <= today)
}

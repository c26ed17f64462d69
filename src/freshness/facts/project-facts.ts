import type { ProjectFact } from '../../contract/state-facts.ts'
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

interface ReadFact {
  fact: ProjectFact
  /** Undefined: the fact applies to all versions. */
  isInLine: LineTest | undefined
}

/** Parses the line lazily, because few facts are needed. */
const withLine = (fact: ProjectFact): ReadFact => {
  let test: LineTest | undefined
  return {
    fact,
    isInLine:
      fact.line === undefined
        ? undefined
        : (tag, version) => {
            test ??= readLine(fact.line!) ?? (() => false)
            return test(tag, version)
          },
  }
}

/** Facts about the fate of projects. */
export class ProjectStates {
  readonly #bySlug = new Map<string, ReadFact[]>()
  readonly #byRepository = new Map<string, ReadFact[]>()
  readonly #byChart = new Map<string, ReadFact[]>()

  constructor(facts: readonly ProjectFact[]) {
    for (const fact of facts) {
      const read = withLine(fact)
      if (fact.slug !== undefined) add(this.#bySlug, fact.slug, read)
      for (const repository of fact.image_repositories ?? []) add(this.#byRepository, repository, read)
      for (const chart of fact.chart_names ?? []) add(this.#byChart, chart, read)
    }
  }

  find({ slug, repositories, chart, tag, version }: FactSubject): ProjectFact[] {
    // Chart names are not unique: excludes another project's chart.
    const named = (chart === undefined ? [] : (this.#byChart.get(chart) ?? [])).filter(
      ({ fact }) => fact.slug === undefined || slug === undefined || fact.slug === slug,
    )
    const ofProject = slug === undefined ? [] : (this.#bySlug.get(slug) ?? [])
    const found = [
      ...ofProject.filter(({ fact }) => fact.chart === undefined || fact.chart === chart),
      ...repositories.flatMap((repository) => this.#ofRepository(repository)),
      ...named,
    ]
    const meant = found.filter(({ isInLine }) => isInLine === undefined || isInLine(tag, version))
    return [...new Set(meant.map(({ fact }) => fact))]
  }

  /** Facts about all versions and charts of this project. */
  ofSlug(slug: string): ProjectFact[] {
    const found = this.#bySlug.get(slug) ?? []
    return found.flatMap(({ fact, isInLine }) => (isInLine || fact.chart !== undefined ? [] : fact))
  }

  #ofRepository(repository: string): ReadFact[] {
    for (let end = repository.length; end > 0; end = repository.lastIndexOf('/', end - 1)) {
      const found = this.#byRepository.get(repository.slice(0, end))
      if (found) return found
    }
    return []
  }
}

function add(index: Map<string, ReadFact[]>, key: string, fact: ReadFact): void {
  index.set(key, [...(index.get(key) ?? []), fact])
}

/** Whether a fact ends something since a day; others are only remarks. */
export function isRetired({ state, since, security_fixes_until: until }: ProjectFact, today: string): boolean {
  if (state === 'renamed' || state === 'license_changed') return false
  if (until !== undefined && lastDay(until) < today) return true
  return state !== 'maintenance' && (since === undefined || firstDay(since) <= today)
}

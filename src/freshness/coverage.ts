import type { AssessedItem } from './assessed.ts'
import { hasComparableVersion } from './running-security.ts'

/** Coverage of one run, to be merged with that of others. */
export interface CoverageState {
  artifacts: number
  /** Number of artifacts with a status. */
  known: number
  managed: number
  projects: number[]
  security: [projectId: number, day: string][]
  days: string[]
  advisoriesKnown: number
  advisoryDays: string[]
}

/** The last day of the releases that it is compared with; undefined if none follow. */
export function countedDay({ verdict, states, catalogDate }: AssessedItem) {
  const isCompared = verdict.mode !== 'none' && states.reasons.every(({ state }) => state !== 'retired')
  return isCompared ? catalogDate : undefined
}

/** Counts coverage over one or several runs. Kubernetes itself only counts for the days. */
export class CoverageCount {
  readonly #counts = { artifacts: 0, known: 0, managed: 0, advisoriesKnown: 0 }
  readonly #projects = new Set<number>()
  /** Project id → day of its security facts. */
  readonly #security = new Map<number, string>()
  readonly #days = new Set<string>()
  readonly #advisoryDays = new Set<string>()

  add(assessed: Iterable<AssessedItem>) {
    for (const one of assessed) {
      const day = countedDay(one)
      if (day) this.#days.add(day)
      if (one.type === 'kubernetes') continue
      this.#counts.artifacts++
      if (one.verdict.status !== 'unknown') this.#counts.known++
      if (one.managedBy?.isOwn) this.#counts.managed++
      const { project } = one.match
      if (!project) continue
      this.#projects.add(project.id)
      if (project.hasAdvisories && hasComparableVersion(one)) {
        this.#counts.advisoriesKnown++
        this.#advisoryDays.add(project.advisoriesAsOf ?? one.catalogDate)
      }
      if (project.hasSecurityFacts) this.#security.set(project.id, project.securityAsOf ?? one.catalogDate)
    }
    return this
  }

  /** The count as JSON, for `merge`. */
  state() {
    return {
      ...this.#counts,
      projects: [...this.#projects],
      security: [...this.#security],
      days: [...this.#days],
      advisoryDays: [...this.#advisoryDays],
    }
  }

  merge(state: CoverageState) {
    for (const name of ['artifacts', 'known', 'managed', 'advisoriesKnown'] as const) this.#counts[name] += state[name]
    for (const id of state.projects) this.#projects.add(id)
    for (const [id, day] of state.security) this.#security.set(id, day)
    for (const day of state.days) this.#days.add(day)
    for (const day of state.advisoryDays) this.#advisoryDays.add(day)
    return this
  }

  result() {
    const { artifacts, known, managed, advisoriesKnown } = this.#counts
    return {
      artifacts,
      known,
      ...(managed > 0 && { managed }),
      security_known: this.#security.size,
      projects: this.#projects.size,
      catalog_at: oldest(this.#days),
      security_facts_at: oldest(this.#security.values()),
      advisories_known: advisoriesKnown,
      advisory_facts_at: oldest(this.#advisoryDays),
    }
  }
}

/** The first day; days sort as texts. */
function oldest(days: Iterable<string>) {
  return [...days].sort()[0] ?? null
}

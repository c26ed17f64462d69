import type { Coverage } from '../contract/cluster-report.ts'
import type { AssessedItem } from './assessed.ts'
import { hasComparableVersion } from './running-security.ts'

/** Counts how much of what runs an answer rests on, over one run or several. Kubernetes itself is not counted. */
export class CoverageCount {
  #artifacts = 0
  #known = 0
  #managed = 0
  readonly #projects = new Set<number>()
  /** By project, the day of its security facts. */
  readonly #security = new Map<number, string>()
  readonly #days = new Set<string>()
  #advisoriesKnown = 0
  readonly #advisoryDays = new Set<string>()

  add(assessed: Iterable<AssessedItem>): this {
    for (const one of assessed) {
      if (one.type === 'kubernetes') continue
      this.#artifacts++
      if (one.verdict.status !== 'unknown') this.#known++
      if (one.managedBy?.isOwn) this.#managed++
      const { project } = one.match
      if (!project) continue
      this.#projects.add(project.id)
      this.#days.add(one.catalogDate)
      if (project.hasAdvisories && hasComparableVersion(one)) {
        this.#advisoriesKnown++
        this.#advisoryDays.add(project.advisoriesAsOf ?? one.catalogDate)
      }
      if (project.hasSecurityFacts) this.#security.set(project.id, project.securityAsOf ?? one.catalogDate)
    }
    return this
  }

  result(): Coverage {
    return {
      artifacts: this.#artifacts,
      known: this.#known,
      ...(this.#managed > 0 && { managed: this.#managed }),
      security_known: this.#security.size,
      projects: this.#projects.size,
      catalog_at: oldest(this.#days),
      security_facts_at: oldest(this.#security.values()),
      advisories_known: this.#advisoriesKnown,
      advisory_facts_at: oldest(this.#advisoryDays),
    }
  }
}

/** Days sort as texts. */
function oldest(days: Iterable<string>): string | null {
  return [...days].sort()[0] ?? null
}

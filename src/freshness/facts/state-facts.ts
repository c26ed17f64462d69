import type { ProjectFact, ReleaseFault, RepositoryFact, UpgradeRule } from '../../contract/state-facts.ts'
import { ProjectStates } from './project-facts.ts'
import { type FindFault, faultsIn, unmendedIn } from './release-faults.ts'
import { RepositoryFacts } from './repository-facts.ts'

/** Facts by kind; if several are about the same thing, the last counts. */
export interface StateFactLists {
  projects: readonly ProjectFact[]
  faults: readonly ReleaseFault[]
  repositories: readonly RepositoryFact[]
  rules: readonly UpgradeRule[]
}

/** Facts that are not in lists of releases, indexed for lookups. */
export class StateFacts {
  readonly projects: ProjectStates
  readonly repositories: RepositoryFacts
  readonly #faultsOfSlug: Map<string, ReleaseFault[]>
  readonly #faultsOfImage: Map<string, ReleaseFault[]>
  readonly #faultsOfChart: Map<string, ReleaseFault[]>
  readonly #rules: Map<string, UpgradeRule[]>
  readonly #finders = new Map<string, FindFault | undefined>()

  constructor({ projects, faults, repositories, rules }: StateFactLists) {
    this.projects = new ProjectStates(projects)
    this.repositories = new RepositoryFacts(repositories)
    // A fault of one image is not a fault of the project's release.
    this.#faultsOfSlug = groupBy(faults, (fault) =>
      fault.image_repository === undefined && fault.chart_name === undefined ? fault.slug : undefined,
    )
    this.#faultsOfImage = groupBy(faults, ({ image_repository }) => image_repository)
    this.#faultsOfChart = groupBy(faults, ({ chart_name }) => chart_name)
    this.#rules = groupBy(rules, ({ slug }) => slug)
  }

  toRules(slug: string): UpgradeRule[] {
    return this.#rules.get(slug) ?? []
  }

  faultsOfProject(slug: string): FindFault | undefined {
    return this.#finder(`project ${slug}`, () => this.#faultsOfSlug.get(slug) ?? [])
  }

  /** Like `faultsOfSlug`, with later releases that still have a fault, to exclude them from steps. */
  faultsOfReleases(slug: string): FindFault | undefined {
    return this.#finder(`releases ${slug}`, () => this.#faultsOfSlug.get(slug) ?? [], unmendedIn)
  }

  faultsOfImage(repository: string): FindFault | undefined {
    return this.#finder(`image ${repository}`, () => this.#faultsOfImage.get(repository) ?? [])
  }

  faultsOfChart(name: string): FindFault | undefined {
    return this.#finder(`chart ${name}`, () => this.#faultsOfChart.get(name) ?? [])
  }

  /** Projects and charts with faulty releases. */
  faulty(): { slugs: string[]; charts: string[] } {
    return { slugs: [...this.#faultsOfSlug.keys()], charts: [...this.#faultsOfChart.keys()] }
  }

  #finder(key: string, faults: () => readonly ReleaseFault[], toFinder = faultsIn): FindFault | undefined {
    if (!this.#finders.has(key)) this.#finders.set(key, toFinder(faults()))
    return this.#finders.get(key)
  }
}

export const noStateFacts = new StateFacts({ projects: [], faults: [], repositories: [], rules: [] })

function groupBy<T>(items: readonly T[], toKey: (item: T) => string | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = toKey(item)
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return groups
}

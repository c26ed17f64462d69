import type { ProjectFact, ReleaseFault, RepositoryFact, UpgradeRule } from '../../contract/state-facts.ts'
import { remember } from '../../util/remember.ts'
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
  readonly #faultsOfSlug: Map<string | undefined, ReleaseFault[]>
  readonly #faultsOfImage: Map<string | undefined, ReleaseFault[]>
  readonly #faultsOfChart: Map<string | undefined, ReleaseFault[]>
  readonly #rules: Map<string, UpgradeRule[]>
  readonly #finders = new Map<string, FindFault | undefined>()

  constructor({ projects, faults, repositories, rules }: StateFactLists) {
    this.projects = new ProjectStates(projects)
    this.repositories = new RepositoryFacts(repositories)
    // A fault of one image is not a fault of the project's release.
    this.#faultsOfSlug = Map.groupBy(faults, (fault) =>
      fault.image_repository === undefined && fault.chart_name === undefined ? fault.slug : undefined,
    )
    this.#faultsOfImage = Map.groupBy(faults, ({ image_repository }) => image_repository)
    this.#faultsOfChart = Map.groupBy(faults, ({ chart_name }) => chart_name)
    this.#rules = Map.groupBy(rules, ({ slug }) => slug)
  }

  toRules(slug: string) {
    return this.#rules.get(slug) ?? []
  }

  faultsOfProject(slug: string) {
    return this.#finder(`project ${slug}`, () => this.#faultsOfSlug.get(slug) ?? [])
  }

  /** Like `faultsOfSlug`, with later releases that still have a fault, to exclude them from steps. */
  faultsOfReleases(slug: string) {
    return this.#finder(`releases ${slug}`, () => this.#faultsOfSlug.get(slug) ?? [], unmendedIn)
  }

  faultsOfImage(repository: string) {
    return this.#finder(`image ${repository}`, () => this.#faultsOfImage.get(repository) ?? [])
  }

  faultsOfChart(name: string) {
    return this.#finder(`chart ${name}`, () => this.#faultsOfChart.get(name) ?? [])
  }

  /** Projects and charts with faulty releases. */
  faulty() {
    const [slugs, charts] = [this.#faultsOfSlug, this.#faultsOfChart].map((faults) =>
      [...faults.keys()].filter((key) => key !== undefined),
    )
    return { slugs: slugs!, charts: charts! }
  }

  #finder(key: string, faults: () => readonly ReleaseFault[], toFinder = faultsIn) {
    return remember(this.#finders, key, () => toFinder(faults()))
  }
}

export const noStateFacts = new StateFacts({ projects: [], faults: [], repositories: [], rules: [] })

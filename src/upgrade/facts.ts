import type {
  ApiRemoval,
  BreakingChange,
  BundledComponent,
  Compatibility,
  SkewRule,
} from '../contract/upgrade-facts.ts'
import { remember } from '../util/remember.ts'
import { compareLines } from './line.ts'

/** Facts by kind; if several are about the same line, the last counts. */
export interface UpgradeFactLists {
  compatibility: readonly Compatibility[]
  removals: readonly ApiRemoval[]
  breaking: readonly BreakingChange[]
  skew: readonly SkewRule[]
  components: readonly BundledComponent[]
}

/** Facts for upgrade plans, indexed for lookups. */
export class UpgradeFacts {
  readonly skew: readonly SkewRule[]
  readonly components: readonly BundledComponent[]
  readonly #rows: Map<string, Compatibility[]>
  readonly #ranges = new Map<string, Map<string, Compatibility[]>>()
  /** Slug → release lines, ascending. */
  readonly #lines = new Map<string, string[]>()
  readonly #removals: Map<string, ApiRemoval[]>
  readonly #breaking: Map<string, BreakingChange[]>

  constructor({ compatibility, removals, breaking, skew, components }: UpgradeFactLists) {
    this.skew = skew
    this.components = components
    this.#rows = Map.groupBy(compatibility, ({ slug }) => slug)
    this.#removals = Map.groupBy(removals, ({ component }) => component)
    this.#breaking = Map.groupBy(breaking, ({ slug }) => slug)
  }

  /** Release lines of a project, ascending. */
  toLines(slug: string): readonly string[] {
    if (!this.#rows.has(slug)) return []
    return remember(this.#lines, slug, () => [...this.#rangesFor(slug).keys()].sort(compareLines))
  }

  rangesFor(slug: string, line: string): readonly Compatibility[] {
    return this.#rangesFor(slug).get(line) ?? []
  }

  removalsFor(component: string): readonly ApiRemoval[] {
    return this.#removals.get(component) ?? []
  }

  #rangesFor(slug: string) {
    const rows = this.#rows.get(slug)
    if (!rows) return noRanges
    return remember(this.#ranges, slug, () => Map.groupBy(withoutReplaced(rows), ({ line }) => line))
  }

  /** Undefined if the project's changes were not collected. */
  breakingFor(slug: string): readonly BreakingChange[] | undefined {
    return this.#breaking.get(slug)
  }
}

const noRanges = new Map<string, Compatibility[]>()

function withoutReplaced(rows: readonly Compatibility[]) {
  const toKey = ({ line, kind, from_patch, chart }: Compatibility) =>
    `${line} ${kind} ${from_patch ?? ''} ${!chart || chart.isMain ? '' : chart.name}`
  const found = [...new Map(rows.map((row) => [toKey(row), row])).values()]
  // The range of the newest release counts first.
  return found.sort((a, b) => compareLines(b.from_patch ?? '', a.from_patch ?? ''))
}

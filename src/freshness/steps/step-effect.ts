import { severityOrder, severityRank } from '../../contract/severity-rank.ts'
import { remember } from '../../util/remember.ts'
import type { AdvisoryBook, KnownAdvisory } from '../affected.ts'
import type { RunningSecurity } from '../affecting.ts'
import type { DatedRelease } from '../releases.ts'

/** Effect of a step on known advisories. */
export interface StepEffect {
  fixes: KnownAdvisory[]
  leaves: KnownAdvisory[]
  /** Advisories that affect the release, or may, but not the running version. */
  gains: KnownAdvisory[]
}

interface AffectedRelease {
  /** Includes those that may affect it. */
  advisories: readonly KnownAdvisory[]
  ids: ReadonlySet<string>
}

/** Cached, because which advisories affect a release does not depend on the running version. */
const affectedReleases = new WeakMap<AdvisoryBook, WeakMap<DatedRelease, AffectedRelease>>()

/** Compares releases with the running version by their advisories. */
export class StepEffects {
  readonly #security: RunningSecurity | undefined
  readonly #book: AdvisoryBook | undefined
  readonly #mayHave: Set<string>

  constructor(security: RunningSecurity | undefined, book: AdvisoryBook | undefined) {
    this.#security = security
    this.#book = security && book
    // An advisory that may already affect the running version is not certainly new.
    this.#mayHave = new Set(security ? [...security.advisories, ...security.undecided].map(({ id }) => id) : [])
  }

  /** Advisories that affect the running version. */
  get affecting(): readonly KnownAdvisory[] {
    return this.#security?.advisories ?? []
  }

  /** Faster than `of` for a release that fixes few. */
  isFreeOf(release: DatedRelease, advisories: readonly KnownAdvisory[]) {
    if (!this.#book) return advisories.length === 0
    const known = affectedReleases.get(this.#book)?.get(release)
    if (known) return advisories.every(({ id }) => !known.ids.has(id))
    const running = this.#running(release)
    return advisories.every(({ id }) => this.#book!.isFreeOf(id, running))
  }

  of(release: DatedRelease): StepEffect {
    if (!this.#book) return { fixes: [], leaves: [], gains: [] }
    const { advisories, ids } = this.#affected(release, this.#book)
    return {
      fixes: this.affecting.filter(({ id }) => !ids.has(id)),
      leaves: this.affecting.filter(({ id }) => ids.has(id)),
      gains: advisories.filter(({ id }) => !this.#mayHave.has(id)),
    }
  }

  #affected(release: DatedRelease, book: AdvisoryBook) {
    const known = remember(affectedReleases, book, () => new WeakMap<DatedRelease, AffectedRelease>())
    return remember(known, release, () => {
      const { advisories, undecided } = book.of(this.#running(release))
      const all = [...advisories, ...undecided]
      return { advisories: all, ids: new Set(all.map(({ id }) => id)) }
    })
  }

  #running({ version }: DatedRelease) {
    return { version, isLine: false, yearsAreLater: this.#security?.running.yearsAreLater ?? false }
  }
}

/**
 * A step may add advisories less severe than the worst that it fixes, but no exploited ones. An unrated advisory may have
 * any severity.
 */
export function isAcceptable({ fixes, gains }: StepEffect) {
  const worst = Math.min(...fixes.map(({ severity }) => severityRank(severity)))
  return gains.every((gain) => !gain.exploited && gain.severity !== null && severityRank(gain.severity) > worst)
}

/** Whether the advisory needs an immediate fix. */
export function isUrgent({ severity, exploited }: KnownAdvisory) {
  return severity === 'critical' || severity === 'high' || Boolean(exploited)
}

/** Higher is worse: exploited ones count first, then by severity. */
export function compareWeights(a: readonly KnownAdvisory[], b: readonly KnownAdvisory[]) {
  const [left, right] = [weightsOf(a), weightsOf(b)]
  const at = left.findIndex((count, index) => count !== right[index])
  return at < 0 ? 0 : left[at]! - right[at]!
}

function weightsOf(advisories: readonly KnownAdvisory[]) {
  const weights: number[] = Array(severityOrder.length + 1).fill(0)
  for (const advisory of advisories) {
    if (advisory.exploited) weights[0]!++
    weights[1 + severityRank(advisory.severity)]!++
  }
  return weights
}

import { bundledCatalogDate, upgradeFactsDate } from '../../catalog/date.ts'
import type { Db } from '../../db/open.ts'
import { listStateFacts, type StateFactKind, type StateFactSource } from '../../store/facts/state-fact.ts'
import { formatTimestamp } from '../../util/time.ts'

/** Facts of a kind that one source told, and how old they are. */
export interface FactsStatus {
  source: 'bundled' | StateFactSource
  kind: StateFactKind
  facts: number
  /** Day that the source says its facts are of, `YYYY-MM-DD`. */
  as_of: string | null
  /** Time of its last answer; null for those that are bundled. */
  answered_at: string | null
}

/** The bundled facts first. */
export async function statusOfFacts(db: Db): Promise<FactsStatus[]> {
  const { bundledExploited, bundledStateFacts } = await import('../../catalog/state-facts.ts')
  const { projects, faults, repositories, rules } = bundledStateFacts()
  const { asOf, exploited } = bundledExploited()
  const { bundledUpgradeFacts } = await import('../../catalog/upgrade-facts.ts')
  const { compatibility, removals, breaking } = bundledUpgradeFacts()
  const bundled = (kind: StateFactKind, facts: number, as_of = bundledCatalogDate): FactsStatus => ({
    ...{ source: 'bundled', kind, facts, as_of, answered_at: null },
  })
  const stored = await listStateFacts(db)
  return [
    bundled('exploited', exploited.size, asOf),
    bundled('project', projects.length),
    bundled('fault', faults.length),
    bundled('repository', repositories.length),
    bundled('rule', rules.length),
    bundled('compatibility', compatibility.length, upgradeFactsDate),
    bundled('removal', removals.length, upgradeFactsDate),
    bundled('breaking', breaking.length, upgradeFactsDate),
    ...stored
      .filter(({ facts, asOf }) => facts.length > 0 || asOf !== null)
      .map(({ source, kind, facts, asOf, answeredAt }) => ({
        ...{ source, kind, facts: facts.length, as_of: asOf },
        answered_at: answeredAt === null ? null : formatTimestamp(answeredAt),
      })),
  ]
}

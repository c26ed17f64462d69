import { bundledExploited, bundledStateFacts } from '../../catalog/state-facts.ts'
import { bundledUpgradeFacts } from '../../catalog/upgrade-facts.ts'
import type { Db } from '../../db/open.ts'
import { listAnswerTimes } from '../../store/catalog/source.ts'
import {
  listStateFacts,
  type StateFactKind,
  type StateFactSource,
  type StoredStateFacts,
} from '../../store/facts/state-fact.ts'
import { formatDay, formatTimestamp } from '../../util/time.ts'
import { findBundle } from '../facts/bundle.ts'
import { factsKey } from './fact-sync.ts'
import type { SyncTimes } from './sync-times.ts'

/** Facts of one kind from one source, and their age. */
export interface FactsStatus {
  source: 'bundled' | StateFactSource
  kind: StateFactKind
  facts: number
  /** Day of the facts, `YYYY-MM-DD`; null for the operator's own. */
  as_of: string | null
  /** Time of the last answer; null for bundled facts. */
  answered_at: string | null
}

/** Status of all facts, the bundled ones first. */
export async function statusOfFacts(db: Db, notes: SyncTimes) {
  const bundle = await findBundle(db)
  const { projects, faults, repositories, rules } = bundledStateFacts(bundle)
  const { asOf, exploited } = bundledExploited(bundle)
  const { compatibility, removals, breaking } = bundledUpgradeFacts(bundle)
  const bundled = (kind: StateFactKind, facts: number, as_of = bundle.date): FactsStatus => ({
    source: 'bundled',
    kind,
    facts,
    as_of,
    answered_at: null,
  })
  const stored = await listStateFacts(db)
  const charts = await lastAnswerOfCharts(db)
  return [
    bundled('exploited', exploited.size, asOf),
    bundled('project', projects.length),
    bundled('fault', faults.length),
    bundled('repository', repositories.length),
    bundled('rule', rules.length),
    bundled('compatibility', compatibility.length, bundle.upgrade_date),
    bundled('removal', removals.length, bundle.upgrade_date),
    bundled('breaking', breaking.length, bundle.upgrade_date),
    ...stored
      .filter(({ source, facts }) => source !== 'file' || facts.length > 0)
      .map((one) => toView(one, Math.max(one.source === 'helm' ? charts : 0, notes.at(factsKey, one.source)))),
  ]
}

/** `looked`: time of the last check without changes. */
function toView({ source, kind, facts, asOf, answeredAt }: StoredStateFacts, looked: number): FactsStatus {
  const answered = Math.max(answeredAt ?? 0, looked)
  const isOwn = source === 'file'
  return {
    source,
    kind,
    facts: facts.length,
    as_of: asOf ?? (isOwn || answered === 0 ? null : formatDay(answered)),
    answered_at: answered === 0 ? null : formatTimestamp(answered),
  }
}

/** Unix seconds. Chart lists state which charts are deprecated. */
async function lastAnswerOfCharts(db: Db) {
  const times = [await listAnswerTimes(db, 'helm'), await listAnswerTimes(db, 'oci')]
  return Math.max(0, ...times.flatMap((one) => [...one.values()]))
}

import { daySeconds, parseTimestamp } from '../util/time.ts'

import type { Court } from './court.ts'
import { toCoverage } from './coverage.ts'
import type { RuleOf } from './rule.ts'
import { decided, type RuleVerdict, undecided } from './rule-verdict.ts'

/** Undecided if the facts that decide rules on artifacts are older than so many days. */
export function judgeMaxAge({ allowed }: RuleOf<'max-age'>, { freshness, today }: Court): RuleVerdict {
  if (!freshness) return undecided({ code: 'no_freshness' })
  const { catalog_at, security_facts_at } = toCoverage(freshness)
  const [oldest] = [catalog_at, security_facts_at].filter((day) => day !== null).sort()
  const at = oldest === undefined ? undefined : parseTimestamp(oldest.slice(0, 10))
  if (at === undefined) return undecided({ code: 'no_age' }, 'facts', decided(false, { code: 'age_not_judged' }))
  const days = Math.floor((parseTimestamp(today)! - at) / daySeconds)
  const reason = { code: 'age' as const, days, allowed }
  return days > allowed ? undecided(reason, 'facts', decided(false, reason)) : decided(false, reason)
}

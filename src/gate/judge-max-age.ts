import { daySeconds, parseTimestamp } from '../util/time.ts'
import { count as plural } from '../util/words.ts'
import type { Court } from './court.ts'
import { toCoverage } from './coverage.ts'
import type { RuleOf } from './rule.ts'
import { decided, type RuleVerdict, undecided } from './rule-verdict.ts'

/** Undecided if the facts that decide rules on artifacts are older than so many days. */
export function judgeMaxAge({ allowed }: RuleOf<'max-age'>, { freshness, today }: Court): RuleVerdict {
  if (!freshness) return undecided('Freshness is not available')
  const { catalog_at, security_facts_at } = toCoverage(freshness)
  const [oldest] = [catalog_at, security_facts_at].filter((day) => day !== null).sort()
  const at = oldest === undefined ? undefined : parseTimestamp(oldest.slice(0, 10))
  if (at === undefined)
    return undecided('The day of the facts is not known', 'facts', decided(false, 'Their age is not judged'))
  const days = Math.floor((parseTimestamp(today)! - at) / daySeconds)
  const reason = `The facts are ${plural(days, 'day')} old; ${allowed} allowed`
  return days > allowed ? undecided(reason, 'facts', decided(false, reason)) : decided(false, reason)
}

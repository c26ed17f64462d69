import { staleText } from '../contract/facts-age.ts'
import type { Coverage } from '../contract/freshness.ts'
import type { ReceivedRun } from '../contract/received/cluster-report.ts'
import { daySeconds, parseTimestamp } from '../util/time.ts'
import { count, withoutStop } from '../util/words.ts'

/** `12 of 48 images known, 9 managed; security facts for 3 of 9 projects, 2 days old`. `today` is `YYYY-MM-DD`. */
export function coverageText(coverage: Coverage, { artifacts }: Pick<ReceivedRun, 'artifacts'>, today: string): string {
  const { known, managed, projects, security_known, security_facts_at, catalog_at } = coverage
  const noun = artifacts && artifacts.helm_charts + artifacts.apps === 0 ? 'images' : 'artifacts'
  const age = security_facts_at === null ? '' : `, ${ageText(security_facts_at, today)}`
  const facts = `security facts for ${security_known} of ${count(projects, 'project')}${age}`
  const stale = staleText(catalog_at, parseTimestamp(today) ?? 0)
  const own = managed ? `, ${managed} managed` : ''
  return `${known} of ${coverage.artifacts} ${noun} known${own}${projects === 0 ? '' : `; ${facts}`}${gapText(coverage)}${stale && `. ${withoutStop(stale)}`}`
}

const gapText = ({ gaps = [] }: Coverage) =>
  gaps.length === 0
    ? ''
    : `; not all that runs is known: ${gaps.map((gap) => withoutStop(gap.slice(0, 200))).join('; ')}`

function ageText(day: string, today: string): string {
  const days = Math.round((Date.parse(today) - Date.parse(day.slice(0, 10))) / 1000 / daySeconds)
  if (days === 0) return 'from today'
  // With --as-of, facts can be newer than the requested day.
  if (!(days > 0)) return `of ${day.slice(0, 10)}`
  return `${count(days, 'day')} old`
}

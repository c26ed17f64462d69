import type { Debt } from '../contract/cluster-report.ts'
import type { AssessedItem } from './assessed.ts'

/** Freshness debt of a cluster: how outdated its artifacts are, each counted once. */
export function debtFor(assessed: readonly AssessedItem[]): Debt {
  const sum = (of: (one: AssessedItem) => number) => assessed.reduce((total, one) => total + of(one), 0)
  return {
    artifacts_behind: sum(({ verdict }) => (verdict.status.endsWith('_behind') ? 1 : 0)),
    releases_behind: sum(({ verdict }) => verdict.releasesBehind ?? 0),
    days_behind: sum(({ verdict }) => verdict.daysBehind ?? 0),
    security_fixes_behind: sum(({ verdict }) => verdict.newer.filter(({ hasSecurityFix }) => hasSecurityFix).length),
  }
}

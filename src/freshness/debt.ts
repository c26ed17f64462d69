import type { Debt } from '../contract/cluster-report.ts'
import type { Assessed } from './assessed.ts'

/** What a cluster owes: how far behind everything is that runs there, each artifact once. */
export function debtOf(assessed: readonly Assessed[]): Debt {
  const sum = (of: (one: Assessed) => number) => assessed.reduce((total, one) => total + of(one), 0)
  return {
    artifacts_behind: sum(({ verdict }) => (verdict.status.endsWith('_behind') ? 1 : 0)),
    releases_behind: sum(({ verdict }) => verdict.releasesBehind ?? 0),
    days_behind: sum(({ verdict }) => verdict.daysBehind ?? 0),
    security_fixes_behind: sum(({ verdict }) => verdict.newer.filter(({ hasSecurityFix }) => hasSecurityFix).length),
  }
}

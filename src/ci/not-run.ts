import type { CheckNotRun } from '../contract/cluster-report.ts'
import type { ReceivedRun } from '../contract/received/cluster-report.ts'

/** The checks of a run that did not run, and how many more there are that the server does not name. */
export function checksNotRun({ checks_not_run, not_run_checks }: ReceivedRun): {
  named: CheckNotRun[]
  unnamed: number
} {
  const named = checks_not_run ?? []
  const count = not_run_checks ?? named.length
  return { named, unnamed: Math.max(0, count - named.length) }
}

export function unnamedText(count: number): string {
  return `${count} more ${count === 1 ? 'check' : 'checks'} did not run`
}

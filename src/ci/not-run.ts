import type { CheckNotRun, Run } from '../contract/cluster-report.ts'

/** The checks of a run that did not run, and how many more there are that the server does not name. */
export function checksNotRun({ checks_not_run: named = [], not_run_checks: count = named.length }: Run): {
  named: CheckNotRun[]
  unnamed: number
} {
  return { named, unnamed: Math.max(0, count - named.length) }
}

export function unnamedText(count: number): string {
  return `${count} more ${count === 1 ? 'check' : 'checks'} did not run`
}

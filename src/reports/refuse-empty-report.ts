import { invalidParams } from '../errors.ts'
import type { Scan } from './scan.ts'

/** A run that looked at nothing would read as "everything is resolved". Throws `invalid_param` unless it is allowed. */
export function refuseEmpty(scan: Scan, allowEmpty: boolean | null | undefined): void {
  if (allowEmpty || !isEmpty(scan)) return
  const [first] = scan.checksNotRun
  const what = first ? `shows no check that ran (${first.name}: ${first.reason})` : 'has no checks and no results'
  throw invalidParams({
    report: `${what}. Check that the scan finished; to store an empty report, pass --allow-empty (allow_empty: true)`,
  })
}

/** Nothing in the report shows that something was looked at. */
export const isEmpty = ({ lookedAt, totalChecks, checksNotRun }: Scan): boolean =>
  !(lookedAt ?? totalChecks > checksNotRun.length)

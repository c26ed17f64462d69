import { invalidParams } from '../errors.ts'
import type { Scan } from './scan.ts'

/** Rejects an empty report, which would resolve every finding. Throws `invalid_param` unless allowed. */
export function refuseEmpty(scan: Scan, allowEmpty: boolean | null | undefined): void {
  if (allowEmpty || !isEmpty(scan)) return
  const [first] = scan.checksNotRun
  const what = first ? `shows no check that ran (${first.name}: ${first.reason})` : 'has no checks and no results'
  throw invalidParams({
    report: `${what}. Check that the scan finished; to store an empty report, pass --allow-empty (allow_empty: true)`,
  })
}

/** Whether nothing in the report shows that the scan covered anything. */
export const isEmpty = ({ lookedAt, totalChecks, checksNotRun }: Scan): boolean =>
  !(lookedAt ?? totalChecks > checksNotRun.length)

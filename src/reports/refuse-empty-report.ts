import { invalidParams } from '../errors.ts'
import type { Scan } from './scan.ts'

/** Rejects an empty report, which is mostly that of a failed scan. Throws `invalid_param`. */
export function refuseEmpty(scan: Scan): void {
  if (!isEmpty(scan)) return
  const [first] = scan.checksNotRun
  const what = first ? `shows no check that ran (${first.name}: ${first.reason})` : 'has no checks and no results'
  throw invalidParams({ report: `${what}. Check that the scan finished` })
}

/** Whether nothing in the report shows that the scan covered anything. */
export const isEmpty = ({ lookedAt, totalChecks, checksNotRun }: Scan): boolean =>
  !(lookedAt ?? totalChecks > checksNotRun.length)

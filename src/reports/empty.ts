import { invalidParams } from '../errors.ts'
import type { Scan } from './scan.ts'

/** A run that looked at nothing would read as "everything is resolved". Throws `invalid_param` unless it is allowed. */
export function refuseEmpty({ lookedAt, totalChecks }: Scan, allowEmpty: boolean | null | undefined): void {
  if (allowEmpty || (lookedAt ?? totalChecks > 0)) return
  throw invalidParams({
    report:
      'has no checks and no results. Check that the scan finished; to store an empty report, pass --allow-empty (allow_empty: true)',
  })
}

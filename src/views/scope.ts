import type { AcceptedScope } from '../contract/cluster-report.ts'
import { count } from '../util/words.ts'

/** `141 checks, accepted by ada at 2026-09-01 10:00:00: KubeBuddy 2.1 renamed SEC003` */
export function scopeText({ checks, accepted_at, accepted_by, reason }: AcceptedScope): string {
  const what = checks === null ? 'checks not known, since the scanner lists only what failed' : count(checks, 'check')
  if (accepted_at === null) return `${what}; from the scans so far, nobody has accepted a scope`
  return `${what}, accepted by ${accepted_by} at ${accepted_at}${reason === null ? '' : `: ${reason}`}`
}

/** `2 checks and 1 namespace of the accepted scope`; undefined if nothing is missing. */
export function missingScopeText({
  missing_checks,
  missing_namespaces,
  missing_kinds,
}: AcceptedScope): string | undefined {
  const parts = [
    ...(missing_checks.length > 0 ? [count(missing_checks.length, 'check')] : []),
    ...(missing_namespaces.length > 0 ? [count(missing_namespaces.length, 'namespace')] : []),
    ...(missing_kinds.length > 0 ? [`${count(missing_kinds.length, 'kind')} of reports`] : []),
  ]
  return parts.length === 0 ? undefined : `${parts.join(' and ')} of the accepted scope`
}

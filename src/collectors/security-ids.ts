import type { SecurityHints } from '../catalog/found-release.ts'
import { toSecurity } from '../security/security-of.ts'

/** Security facts in release notes; null without any. */
export function securityIn(notes: string): SecurityHints | null {
  const { has_security_fix, cve_list, security_severity, security_summary, cve_links } = toSecurity({
    release_notes: notes,
  })
  if (!has_security_fix) return null
  return {
    hasFix: true,
    ids: cve_list ?? [],
    severity: security_severity,
    ...(security_summary && { summary: security_summary }),
    links: cve_links ?? [],
  }
}

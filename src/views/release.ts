import type { Severity } from '../contract/shape.ts'
import { ratingTone } from './advisory.ts'
import { named, type Said, safe, type Tone } from './said.ts'

interface WithFix {
  has_security_fix?: boolean | null
  security_severity?: Severity | null | undefined
  fixes?: string[] | null | undefined
}

const hasFix = ({ has_security_fix, security_severity: severity }: WithFix) =>
  has_security_fix ?? (severity ?? 'none') !== 'none'

/**
 * Whether a release is a security fix, according to its notes. A fix of unknown severity is `yes`, because `none` would read
 * as "no fix".
 */
export function securityText(release: WithFix): string | null {
  if (!hasFix(release)) return null
  const severity = release.security_severity ?? 'none'
  return severity === 'none' ? 'yes' : severity
}

/** Severity with the advisories that an upgrade fixes: `high, fixes CVE-2026-1 +2`. */
export function securityWord(release: WithFix): string | null {
  const [fix, ...others] = release.fixes ?? []
  const fixes = fix && `fixes ${fix}${others.length > 0 ? ` +${others.length}` : ''}`
  const words = [securityText(release), fixes].filter(Boolean)
  return words.length > 0 ? words.join(', ') : null
}

export const securityTone = (release: WithFix): Tone | undefined =>
  hasFix(release) ? ratingTone(release.security_severity ?? undefined) : undefined

/** Like `securityWord`, but also states that nothing is known. */
export const securitySaid = (release: WithFix): Said => [
  safe(securityText(release) ?? 'no fix known', securityTone(release)),
]

/** The version, with a mark for a security fix. */
export const versionSaid = (release: WithFix & { version: string }): Said => [
  named('safe', release.version),
  ...(hasFix(release) ? [safe(' security fix', securityTone(release))] : []),
]

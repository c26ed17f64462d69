import type { Severity } from '../contract/shape.ts'

/** As tables show it. A fix of unknown severity is `yes`: `none` would read as "no fix". */
export function securityWord(release: {
  has_security_fix?: boolean | undefined
  security_severity?: Severity | undefined
}): string {
  const { security_severity: severity = 'none', has_security_fix: hasFix = severity !== 'none' } = release
  if (!hasFix) return '-'
  return severity === 'none' ? 'yes' : severity
}

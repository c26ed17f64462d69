import type { Severity } from '../../contract/shape.ts'

/** As tables show it. A fix of unknown severity is `yes`: `none` would read as "no fix". */
export function securityWord(release: {
  has_security_fix?: boolean | null | undefined
  security_severity?: Severity | null | undefined
  fixes?: string[] | null | undefined
}): string {
  const { fixes } = release
  const word = severityWord(release)
  return fixes?.length ? `${word}, fixes ${fixes[0]}${fixes.length > 1 ? ` +${fixes.length - 1}` : ''}` : word
}

function severityWord(release: {
  has_security_fix?: boolean | null | undefined
  security_severity?: Severity | null | undefined
}): string {
  const severity = release.security_severity ?? 'none'
  const hasFix = release.has_security_fix ?? severity !== 'none'
  if (!hasFix) return '-'
  return severity === 'none' ? 'yes' : severity
}

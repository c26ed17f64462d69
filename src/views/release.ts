import type { AnswerCoverage } from '../contract/answer-coverage.ts'
import type { Severity } from '../contract/shape.ts'
import { staleText } from '../reports/stale-catalog.ts'
import type { UnixSeconds } from '../util/time.ts'
import { count } from '../util/words.ts'
import { ratingTone } from './advisory.ts'
import { named, type Said, safe, say, type Tone } from './said.ts'
import { type Note, noteIn } from './view.ts'

interface WithFix {
  has_security_fix?: boolean | null | undefined
  security_severity?: Severity | null | undefined
  fixes?: string[] | null | undefined
}

const hasFix = ({ has_security_fix, security_severity: severity }: WithFix): boolean =>
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

interface Found {
  catalog_date?: string | null | undefined
  looked_at?: AnswerCoverage | null | undefined
}

/** Limitations of a list of releases. */
export function releaseNotes({ catalog_date: day, looked_at }: Found, now: UnixSeconds): Note[] {
  const { security_known: known = 0, projects = 0, truncated } = looked_at ?? {}
  const stale = staleText(day ?? undefined, now)
  return [
    ...(known < projects
      ? [noteIn('warn', say`Security facts are known of ${known} of ${safe(count(projects, 'project'))}.`)]
      : []),
    ...(stale !== '' ? [noteIn('warn', [safe(stale)])] : []),
    ...(day && stale === '' ? [{ said: say`The catalog is of ${safe(day)}; it does not know newer releases.` }] : []),
    ...(truncated ? [noteIn('warn', say`There are more releases than are listed.`)] : []),
  ]
}

import type { Release } from '../contract/project.ts'
import type { Severity } from '../contract/shape.ts'
import { advisoryIds, advisoryLink, canonicalId } from './advisory-ids.ts'
import { noteLines, plainLine } from './note-lines.ts'
import { severityInText } from './severity-in-text.ts'

export type ReleaseSecurity = Pick<
  Release,
  'has_security_fix' | 'cve_list' | 'security_severity' | 'security_summary' | 'cve_links'
>

/** A release as published; undefined fields are parsed from its notes. */
export interface StatedRelease {
  release_notes?: string | undefined
  has_security_fix?: boolean | undefined
  cve_list?: readonly string[] | null | undefined
  security_severity?: Severity | undefined
  security_summary?: string | null | undefined
  cve_links?: readonly string[] | null | undefined
}

const longestSummary = 300
const mentionsFix =
  /\bsecurity[- ](?:fix(?:es)?|patch(?:es)?|release|vulnerabilit(?:y|ies)|advisor(?:y|ies)|hotfix)\b|\b(?:fix(?:es|ed)?|patch(?:es|ed)?|address(?:es|ed)?|resolve[sd]?)\b.{0,60}\bvulnerabilit(?:y|ies)\b/i
const denies =
  /\b(?:not|never|isn't|aren't) (?:be )?(?:affected|vulnerable|impacted|exploitable)|\bunaffected\b|\b(?:does|do) not (?:affect|impact)|\bfalse positives?\b|\bno (?:known )?(?:security|vulnerabilit)|\bnot a security\b|\b(?:vex|trivyignore)\b|\b(?:ignore|suppress)\w*\b.{0,40}\b(?:cve|ghsa)-/i

/** Security facts of a release: explicit fields first, then those in its notes. */
export function toSecurity(release: StatedRelease): ReleaseSecurity {
  const lines = noteLines(release.release_notes ?? '').filter((line) => !denies.test(line))
  const naming = lines.filter((line) => advisoryIds(line).length > 0)
  const telling = naming.length > 0 ? naming : lines.filter((line) => mentionsFix.test(line))
  const read = release.cve_list === undefined ? advisoryIds(naming.join('\n')) : (release.cve_list ?? [])
  const hasFix = release.has_security_fix ?? (read.length > 0 || telling.length > 0)
  if (!hasFix) return { ...nothing, ...given(release) }
  const ids = [...new Set(read.map(canonicalId))]
  return {
    has_security_fix: true,
    cve_list: ids.length > 0 ? ids : null,
    security_severity: release.security_severity ?? severityInText(telling.join('\n')),
    security_summary:
      release.security_summary !== undefined ? release.security_summary : cut(telling[0] && plainLine(telling[0])),
    cve_links:
      release.cve_links !== undefined
        ? release.cve_links && [...release.cve_links]
        : ids.length > 0
          ? ids.map(advisoryLink)
          : null,
  }
}

const nothing: ReleaseSecurity = {
  has_security_fix: false,
  cve_list: null,
  security_severity: 'none',
  security_summary: null,
  cve_links: null,
}

function given({ cve_list, security_severity, security_summary, cve_links }: StatedRelease): Partial<ReleaseSecurity> {
  return {
    ...(cve_list && { cve_list: [...cve_list] }),
    ...(security_severity && { security_severity }),
    ...(security_summary && { security_summary }),
    ...(cve_links && { cve_links: [...cve_links] }),
  }
}

function cut(text: string | undefined) {
  if (!text) return null
  return text.length <= longestSummary ? text : `${text.slice(0, longestSummary - 1).trimEnd()}…`
}

import type { Severity } from '../contract/shape.ts'

/** A database's facts about an advisory. */
export interface Advisory {
  /** CVE or GHSA, in canonical spelling. */
  id: string
  /** Its other CVE and GHSA ids. */
  aliases: string[]
  severity: Severity
  summary: string
}

/** An advisory of a project, with the releases that it names as fixed. */
export interface ProjectAdvisory extends Advisory {
  /** URL for users. */
  url: string
  /** As written in the advisory: `2.10.3`, `v1.2.3-rc.1`. */
  fixedIn: string[]
}

const longestSummary = 300

/** The first line of a text. */
export function formatSummary(text: string | null | undefined) {
  const [line = ''] = (text ?? '').trim().split(/\r?\n/, 1)
  return line.slice(0, longestSummary)
}

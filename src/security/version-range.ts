/** Versions that an advisory affects. Without `fixed` and `last_affected`: all from `introduced` on. */
export interface VersionRange {
  /** `0`: all versions before the end. */
  introduced: string
  /** First version that is not affected. */
  fixed: string | null
  /** Last version that is affected. */
  last_affected: string | null
}

export const hasEnd = ({ fixed, last_affected }: VersionRange) => fixed !== null || last_affected !== null

/** A Go pseudo-version, which is a commit and no release. */
const pseudoVersion = /[-.]\d{14}-[0-9a-f]{7,}$/

/** All versions, or those until or from a commit: the Go database writes these when it knows no releases. */
export function isVague(range: VersionRange) {
  const bound = range.fixed ?? range.last_affected ?? range.introduced
  return pseudoVersion.test(bound) || (!hasEnd(range) && bound === '0')
}

const longest = 500
const bound = /^(<=|<|>=|=)\s*v?(\d{1,9}(?:\.\d{1,9}){0,4}(?:[-+][\w.+-]{1,60})?)$/

/**
 * Parses the range of a GitHub advisory: `>= 1.0, < 1.2.3`, `<= 2.0.1`, `= 1.4.0`, with `||` between alternatives. Undefined
 * for any other form: `> 1.0` does not name its first version, and two upper bounds are ambiguous.
 */
export function readVersionRange(text: string): VersionRange[] | undefined {
  if (text.length > longest) return undefined
  const ranges = text.split('||').flatMap((part) => readAlternative(part) ?? [])
  return ranges.length === text.split('||').length ? ranges : undefined
}

function readAlternative(text: string): VersionRange | undefined {
  const ends: Partial<Record<string, string>> = {}
  for (const part of text.split(',')) {
    const [, sign = '', version] = bound.exec(part.trim()) ?? []
    if (version === undefined || ends[sign] !== undefined) return undefined
    ends[sign] = version
  }
  const { '=': only, '>=': introduced = '0', '<': fixed = null, '<=': last = null } = ends
  if (only !== undefined) {
    return text.includes(',') ? undefined : { introduced: only, fixed: null, last_affected: only }
  }
  return fixed !== null && last !== null ? undefined : { introduced, fixed, last_affected: last }
}

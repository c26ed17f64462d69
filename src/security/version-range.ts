import type { VersionRange } from './catalog-advisory.ts'

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

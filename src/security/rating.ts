import type { Severity } from '../contract/shape.ts'
import type { SeverityRating } from './catalog-advisory.ts'
import { baseScore } from './cvss.ts'

/** Versions of CVSS by descending precedence. */
const versions = ['CVSS:3', 'CVSS:4', '']
const words = new Map<string, Severity>([
  ['critical', 'critical'],
  ['high', 'high'],
  ['important', 'high'],
  ['medium', 'medium'],
  ['moderate', 'medium'],
  ['low', 'low'],
  ['negligible', 'low'],
])

/**
 * Rates a vulnerability by all statements of a record, which are vectors of CVSS or words of the vendor. A valid vector takes
 * precedence over any word, because words of different vendors do not mean the same.
 */
export function rate(statements: readonly unknown[]): SeverityRating {
  const texts = statements.filter((statement) => typeof statement === 'string')
  const vectors = versions.flatMap((begin) => texts.filter((text) => text.startsWith(begin)))
  const score = vectors.map(baseScore).find((found) => found !== undefined)
  if (score !== undefined) return { severity: severityOfScore(score), score }
  return { severity: texts.map(severityOfWord).find((found) => found !== undefined) ?? null, score: null }
}

/** Severity ranges of CVSS 3.x and 4.0: https://www.first.org/cvss/specification-document */
export function severityOfScore(score: number): Severity {
  if (score >= 9) return 'critical'
  if (score >= 7) return 'high'
  if (score >= 4) return 'medium'
  return score > 0 ? 'low' : 'none'
}

/** Undefined for any other word. */
export function severityOfWord(word: string): Severity | undefined {
  return words.get(word.trim().toLowerCase())
}

import { highest } from '../contract/severity-rank.ts'
import type { Severity } from '../contract/shape.ts'
import { baseScore, severityOfScore } from './cvss.ts'

const vectorPattern = /CVSS:(?:3\.[01]|4\.0)(?:\/[A-Z]{1,3}:[A-Za-z]{1,5}){8,31}/g
/** Maximum CVSS vectors in one text. */
const mostVectors = 100
/** A number right after the name is the version of CVSS. */
const scorePattern =
  /\bcvss(?:\s?v?[234](?:\.\d)?)?(?:\s+base)?(?:\s*[:=(]|\s+score(?:\s+of|\s*[:=(])?)\s*(10(?:\.0)?|\d\.\d)(?![\d.])/gi
const level = '(critical|high|important|moderate|medium|low)'
const wordPatterns = [
  new RegExp(`\\bseverity(?:\\s*(?:is|[:=(]))?\\s*${level}\\b`, 'gi'),
  new RegExp(`\\b${level}[- ]severity\\b`, 'gi'),
  new RegExp(`[[(]${level}[\\])]`, 'gi'),
]
const words = new Map<string, Severity>([
  ['critical', 'critical'],
  ['high', 'high'],
  ['important', 'high'],
  ['medium', 'medium'],
  ['moderate', 'medium'],
  ['low', 'low'],
])

/** The highest severity that a text states by a CVSS vector, a score or a word; `none` if it states none. */
export function severityInText(text: string): Severity {
  const vectors = [...new Set(text.match(vectorPattern))].slice(0, mostVectors)
  const scores = Array.from(text.matchAll(scorePattern), ([, score]) => Number(score))
  const claimed = wordPatterns.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ([, word = '']) => severityOfWord(word) ?? 'none'),
  )
  return highest([severityOfVectors(vectors), ...scores.map(severityOfScore), ...claimed])
}

/** The highest severity; `none` without a valid vector. */
export function severityOfVectors(vectors: readonly string[]): Severity {
  return highest(vectors.flatMap((vector) => baseScore(vector) ?? []).map(severityOfScore))
}

/** Undefined for any other word. */
export function severityOfWord(word: string): Severity | undefined {
  return words.get(word.toLowerCase())
}

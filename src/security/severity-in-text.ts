import type { Severity } from '../contract/shape.ts'
import { baseScore, severityOfScore } from './cvss.ts'

const vectorPattern = /CVSS:3\.[01](?:\/[A-Z]{1,3}:[A-Z]{1,2}){8,30}/g
/** A number right behind the name is CVSS's own version. */
const scorePattern =
  /\bcvss(?:\s?v?[234](?:\.\d)?)?(?:\s+base)?(?:\s*[:=(]|\s+score(?:\s+of|\s*[:=(])?)\s*(10(?:\.0)?|\d\.\d)(?![\d.])/gi
const level = '(critical|high|important|moderate|medium|low)'
const wordPatterns = [
  new RegExp(`\\bseverity\\s*(?:is|[:=(])?\\s*${level}\\b`, 'gi'),
  new RegExp(`\\b${level}[- ]severity\\b`, 'gi'),
  new RegExp(`[[(]${level}[\\])]`, 'gi'),
]
const words: Record<string, Severity> = { important: 'high', moderate: 'medium' }
const order: Severity[] = ['none', 'low', 'medium', 'high', 'critical']

/** The highest severity that a text claims by a CVSS vector, a score or a word; `none` when it claims none. */
export function severityInText(text: string): Severity {
  const vectors = text.match(vectorPattern)?.flatMap((vector) => baseScore(vector) ?? []) ?? []
  const scores = Array.from(text.matchAll(scorePattern), ([, score]) => Number(score))
  const claimed = wordPatterns.flatMap((pattern) =>
    Array.from(
      text.matchAll(pattern),
      ([, word = '']) => words[word.toLowerCase()] ?? (word.toLowerCase() as Severity),
    ),
  )
  return highest([...[...vectors, ...scores].map(severityOfScore), ...claimed])
}

export function highest(severities: readonly Severity[]): Severity {
  return order.findLast((severity) => severities.includes(severity)) ?? 'none'
}

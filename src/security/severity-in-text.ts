import { highest } from '../contract/severity-rank.ts'
import type { Severity } from '../contract/shape.ts'
import { baseScore } from './cvss.ts'
import { severityOfScore, severityOfWord } from './rating.ts'

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

/** The highest severity that a text states by a CVSS vector, a score or a word; `none` if it states none. */
export function severityInText(text: string): Severity {
  const vectors = [...new Set(text.match(vectorPattern))].slice(0, mostVectors)
  const named = Array.from(text.matchAll(scorePattern), ([, score]) => Number(score))
  const claimed = wordPatterns.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ([, word = '']) => severityOfWord(word) ?? 'none'),
  )
  const scores = [...vectors.flatMap((vector) => baseScore(vector) ?? []), ...named]
  return highest([...scores.map(severityOfScore), ...claimed])
}

import type { FindingSeverity } from '../../../contract/scan-finding.ts'
import { string } from '../../text.ts'
import { misspelt, number, object } from '../values.ts'
import type { SarifRule } from './rules.ts'

const levels = new Map<unknown, FindingSeverity>([
  ['error', 'high'],
  ['warning', 'medium'],
  ['note', 'low'],
  ['none', 'info'],
])

const scoreName = 'security-severity'
const words = new Set(['critical', 'high', 'medium', 'low', 'info', 'none'])

/** From `security-severity` (0–10, as CVSS) of the result or its rule, else from the level, which defaults to `warning`. */
export function severityFor(result: Record<string, unknown>, rule: SarifRule): FindingSeverity {
  const properties = object(result.properties)
  const written = scoreName in properties ? properties[scoreName] : rule.properties[scoreName]
  const score = number(written)
  const isScore = score !== undefined && score >= 0 && score <= 10
  // Some tools write a severity word here.
  if (written !== undefined && !isScore && !words.has(String(string(written)).toLowerCase())) return 'unknown'
  if (isScore && score > 0) return ofScore(score)
  const level = result.level ?? rule.level
  // By the standard, only a result of kind `fail` has a level.
  if (result.kind !== undefined && string(level)?.toLowerCase() === 'none') return 'unknown'
  const isMisspelt = [properties, rule.properties].some((each) => misspelt(each, [scoreName]) !== undefined)
  if (isMisspelt || misspelt(result, ['level', 'properties']) !== undefined || rule.isUnsure) return 'unknown'
  return level === undefined
    ? 'medium'
    : (levels.get(typeof level === 'string' ? level.toLowerCase() : level) ?? 'unknown')
}

function ofScore(score: number): FindingSeverity {
  if (score >= 9) return 'critical'
  if (score >= 7) return 'high'
  return score >= 4 ? 'medium' : 'low'
}

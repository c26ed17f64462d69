import type { Severity } from '../contract/shape.ts'

/** Of CVSS 3.x and 4.0: https://www.first.org/cvss/specification-document */
export function severityOfScore(score: number): Severity {
  if (score >= 9) return 'critical'
  if (score >= 7) return 'high'
  if (score >= 4) return 'medium'
  return score > 0 ? 'low' : 'none'
}

const confidentiality = { H: 0.56, L: 0.22, N: 0 }
const weights: Record<string, Record<string, number>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  PR: { N: 0.85, L: 0.62, H: 0.27 },
  UI: { N: 0.85, R: 0.62 },
  C: confidentiality,
  I: confidentiality,
  A: confidentiality,
}
const changedPrivileges: Record<string, number> = { N: 0.85, L: 0.68, H: 0.5 }

/** The base score of a CVSS 3.0 or 3.1 vector; undefined for what is none, and for other versions of CVSS. */
export function baseScore(vector: string): number | undefined {
  const [version, ...parts] = vector.trim().split('/')
  if (version !== 'CVSS:3.0' && version !== 'CVSS:3.1') return undefined
  const metrics = new Map(parts.map((part) => part.split(':', 2) as [string, string]))
  const scope = metrics.get('S')
  const isChanged = scope === 'C'
  const weight = (name: string) => {
    const table = name === 'PR' && isChanged ? changedPrivileges : weights[name]
    return table?.[metrics.get(name) ?? ''] ?? Number.NaN
  }
  const missing = 1 - (1 - weight('C')) * (1 - weight('I')) * (1 - weight('A'))
  const impact = isChanged ? 7.52 * (missing - 0.029) - 3.25 * (missing - 0.02) ** 15 : 6.42 * missing
  const exploitability = 8.22 * weight('AV') * weight('AC') * weight('PR') * weight('UI')
  if (Number.isNaN(impact + exploitability) || (scope !== 'U' && !isChanged)) return undefined
  if (impact <= 0) return 0
  return roundUp(Math.min(10, (isChanged ? 1.08 : 1) * (impact + exploitability)))
}

/** As the specification of 3.1 rounds, which knows of floating point. */
function roundUp(score: number): number {
  const whole = Math.round(score * 100_000)
  return whole % 10_000 === 0 ? whole / 100_000 : (Math.floor(whole / 10_000) + 1) / 10
}

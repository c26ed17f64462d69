import type { Run } from '../contract/cluster-report.ts'
import type { AksReadiness, RiskPath } from '../contract/risk-path.ts'
import { isObject } from '../util/json.ts'

/** Details of a report apart from its findings: remediation, weights, and risk paths. */
export interface Guidance {
  /** Checks with findings, open or suppressed. */
  checks: CheckGuidance[]
  /** Sum of the weights of all checks; null if the report has none. */
  totalWeight: number | null
  /** Null: not in the report. An empty list means that the scanner found none. */
  riskPaths: RiskPath[] | null
  aksReadiness: AksReadiness | null
}

export interface CheckGuidance {
  id: string
  name: string
  weight: number | null
  /** Number of rows by severity as the scanner counts them, worst first. */
  rows: number[]
  recommendation: string | null
  url: string | null
}

/** The guidance in the record of a single run. */
export function toRunGuidance({
  checks,
  riskPaths,
  aksReadiness,
}: Guidance): Pick<Run, 'guidance' | 'risk_paths' | 'aks_readiness'> {
  return {
    guidance: checks.flatMap(({ id, recommendation, url }) =>
      recommendation === null && url === null ? [] : [{ check_id: id, recommendation, url }],
    ),
    risk_paths: riskPaths,
    aks_readiness: aksReadiness,
  }
}

const maxRecommendationLength = 2000
const maxUrlLength = 2000

/** Reads `Recommendation`: a text, or an object with `text`, `html` and `SpeechBubble`, depending on the generation. */
export function readRecommendation(value: unknown): string | undefined {
  if (isObject(value)) {
    return (
      readRecommendation(value.text) ??
      readRecommendation(typeof value.html === 'string' ? withoutTags(value.html) : undefined) ??
      readRecommendation(value.SpeechBubble)
    )
  }
  const text = Array.isArray(value) ? value.filter((part) => typeof part === 'string').join(' ') : value
  if (typeof text !== 'string') return undefined
  return text.slice(0, 20_000).replace(/\s+/g, ' ').trim().slice(0, maxRecommendationLength).toWellFormed() || undefined
}

/** Replaces every tag with a space, and decodes basic entities. */
function withoutTags(html: string): string {
  return html
    .slice(0, 20_000)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(lt|gt|quot|#39|amp);/g, (_, name: keyof typeof entities) => entities[name])
}

const entities = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }

/** An http(s) URL without credentials. */
export function readUrl(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  if (text.length > maxUrlLength || !/^https?:\/\/[!-~]+$/i.test(text)) return undefined
  const url = URL.parse(text)
  return url && url.username === '' && url.password === '' ? text : undefined
}

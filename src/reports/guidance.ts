import type { Run } from '../contract/cluster-report.ts'
import type { AksReadiness, RiskPath } from '../contract/risk-path.ts'
import { isObject } from '../util/json.ts'

/** Parts of a report beside its findings: how to fix them, their weights, and how they combine. */
export interface Guidance {
  /** Of checks with findings, open or suppressed. */
  checks: CheckGuidance[]
  /** Sum of the weights of all checks; null where the report has none. */
  totalWeight: number | null
  /** Null: the report does not say. An empty list means that the scanner looked and found none. */
  riskPaths: RiskPath[] | null
  aksReadiness: AksReadiness | null
}

export interface CheckGuidance {
  id: string
  name: string
  weight: number | null
  /** Rows of each severity as the scanner counts them, the worst first. */
  rows: number[]
  recommendation: string | null
  url: string | null
}

/** As the record of a single run shows it. */
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

/** `Recommendation` is a text, or an object with `text`, `html` and `SpeechBubble`; generations differ. */
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

/** Every tag ends a word. The entities are those that HTML needs in plain text. */
function withoutTags(html: string): string {
  return html
    .slice(0, 20_000)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(lt|gt|quot|#39|amp);/g, (_, name: keyof typeof entities) => entities[name])
}

const entities = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }

/** An address of the web, without a password in it. */
export function readUrl(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  if (text.length > maxUrlLength || !/^https?:\/\/[!-~]+$/i.test(text)) return undefined
  const url = URL.parse(text)
  return url && url.username === '' && url.password === '' ? text : undefined
}

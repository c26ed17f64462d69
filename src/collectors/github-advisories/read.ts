import { isWebAddress } from '../../contract/shape.ts'
import { type Advisory, formatSummary } from '../../security/advisory.ts'
import { advisoryIds, advisoryLink, canonicalId } from '../../security/advisory-ids.ts'
import { rate } from '../../security/rating.ts'
import type { Common } from './schema.ts'

/** The advisory with its GHSA id. */
export function readAdvisory(advisory: Common): Advisory & { url: string } {
  const { ghsa_id, cve_id, html_url, summary } = advisory
  const id = canonicalId(ghsa_id)
  return {
    id,
    aliases: advisoryIds(cve_id ?? '').slice(0, 1),
    severity: rateAdvisory(advisory).severity ?? 'none',
    summary: formatSummary(summary),
    url: isWebAddress(html_url) ? html_url : advisoryLink(id),
  }
}

export function rateAdvisory({ severity, cvss, cvss_severities: scored }: Common) {
  return rate([...[cvss, scored?.cvss_v3, scored?.cvss_v4].map((one) => one?.vector_string), severity])
}

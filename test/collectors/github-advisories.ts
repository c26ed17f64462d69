import { hash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { FakeGithub } from './github-server.ts'
import { type Asked, sendJson } from './local-server.ts'

export interface FakeAdvisory {
  ghsa: string
  cve?: string
  /** Of each vulnerability. */
  patched?: (string | null)[]
  severity?: string
  summary?: string
  vector?: string
  withdrawn?: boolean
}

/** As of a repository, or of GitHub's own list. */
export const advisoryBody = ({ ghsa, cve, patched = [], severity, summary, vector, withdrawn }: FakeAdvisory) => ({
  ghsa_id: ghsa,
  cve_id: cve ?? null,
  html_url: `https://github.com/o/r/security/advisories/${ghsa}`,
  summary: summary ?? `About ${ghsa}`,
  severity: severity ?? null,
  state: withdrawn ? 'withdrawn' : 'published',
  withdrawn_at: withdrawn ? '2026-08-01T00:00:00Z' : null,
  cvss: null,
  cvss_severities: {
    cvss_v3: { vector_string: null, score: null },
    cvss_v4: { vector_string: vector ?? null, score: 0 },
  },
  vulnerabilities: patched.map((text) => ({ package: { ecosystem: 'go', name: 'x' }, patched_versions: text })),
})

/** A page of a repository's advisories; cursors are opaque, and links name the repository by its number. */
export function answerAdvisories(github: FakeGithub, name: string, asked: Asked, response: ServerResponse): void {
  const { searchParams } = new URL(asked.path, 'http://x')
  const all = github.repositories[name]?.advisories ?? []
  const from = Number(searchParams.get('after')?.slice('cursor+'.length) ?? 0)
  const end = from + github.advisoriesPerPage
  const items = all.slice(from, end).map(advisoryBody)
  const etag = `W/"${hash('sha256', JSON.stringify(items))}"`
  if (asked.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
  const next = `${github.url}/repositories/7/security-advisories?per_page=100&after=${encodeURIComponent(`cursor+${end}`)}`
  sendJson(response, items, { etag, ...(all.length > end && { link: `<${next}>; rel="next"` }) })
}

/** Of those that GitHub has reviewed, by `ghsa_id` or `cve_id`. */
export function answerReviewed(github: FakeGithub, asked: Asked, response: ServerResponse): void {
  const { searchParams } = new URL(asked.path, 'http://x')
  const [ghsa, cve] = [searchParams.get('ghsa_id'), searchParams.get('cve_id')]
  sendJson(response, github.reviewed.filter((one) => one.ghsa === ghsa || one.cve === cve).map(advisoryBody))
}

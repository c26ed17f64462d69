import type { AdvisoryAnswer } from '../advisory-answer.ts'
import type { GithubSettings } from '../github-releases/repository.ts'
import { askRest, limitNear } from '../github-releases/rest-api.ts'
import type { Http } from '../http.ts'
import { parseJson } from '../parse-json.ts'
import { readAdvisory } from './read.ts'
import { GlobalAdvisories } from './schema.ts'

/** Looks up a CVE or GHSA id in GitHub's reviewed advisories. */
export async function askGithub(http: Http, settings: GithubSettings, id: string): Promise<AdvisoryAnswer> {
  if (limitNear(settings, http) !== undefined) return { kind: 'unknown' }
  const wanted = new URLSearchParams({ [id.startsWith('GHSA') ? 'ghsa_id' : 'cve_id']: id })
  const answer = await askRest(http, settings, { path: `/advisories?${wanted}` })
  // A mirror of releases need not have it.
  if (answer.kind === 'absent') return { kind: 'absent' }
  const listed = answer.kind === 'ok' ? parseJson(answer.body, GlobalAdvisories) : undefined
  if (!listed) return { kind: 'unknown' }
  const found = listed.filter(({ withdrawn_at }) => !withdrawn_at).map(readAdvisory)
  const advisory = found.find((one) => [one.id, ...one.aliases].includes(id))
  if (!advisory) return { kind: 'absent' }
  const { severity, summary } = advisory
  const aliases = [advisory.id, ...advisory.aliases].filter((alias) => alias !== id)
  return { kind: 'found', advisory: { id, aliases, severity, summary } }
}

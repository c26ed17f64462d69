import * as z from 'zod/mini'
import { type Advisory, formatSummary } from '../../security/advisory.ts'
import { advisoryIds } from '../../security/advisory-ids.ts'
import { rate } from '../../security/rating.ts'
import type { AdvisoryAnswer } from '../advisory-answer.ts'
import type { Http } from '../http.ts'
import { OsvRecord } from '../osv-advisories/schema.ts'
import { parseJson } from '../parse-json.ts'

const types = ['application/json']
const maxBytes = 8 * 1024 * 1024
/** Maximum aliases of an advisory. */
const mostAliases = 10

/** Looks up a CVE or GHSA id at `https://api.osv.dev` or a mirror. */
export async function askOsv(http: Http, baseUrl: string, id: string): Promise<AdvisoryAnswer> {
  const answer = await http.ask({ url: `${baseUrl}/v1/vulns/${encodeURIComponent(id)}`, types, maxBytes })
  if (answer.kind === 'absent') return { kind: 'absent' }
  const found = answer.kind === 'ok' ? parseJson(answer.body, Vulnerability) : undefined
  if (!found) return { kind: 'unknown' }
  if (found.withdrawn) return { kind: 'absent' }
  const { aliases, severity, summary, details, database_specific: more } = found
  const advisory: Advisory = {
    id,
    aliases: advisoryIds([found.id, ...(aliases ?? [])].join(' '))
      .filter((alias) => alias !== id)
      .slice(0, mostAliases),
    severity: rate([...(severity ?? []).map(({ score }) => score), more?.severity]).severity ?? 'none',
    summary: formatSummary(summary || details),
  }
  return { kind: 'found', advisory }
}

/** A record without the versions that it affects. */
const Vulnerability = z.extend(z.omit(OsvRecord, { affected: true }), { details: z.nullish(z.string()) })

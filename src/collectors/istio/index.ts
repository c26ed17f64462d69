import * as z from 'zod/mini'
import type { Compatibility } from '../../contract/upgrade-facts.ts'
import { type FactListOutcome, fetchList } from '../fact-list.ts'
import { readYaml } from '../helm/yaml.ts'
import type { Http } from '../http.ts'
import type { SourceState } from '../source-state.ts'

const types = ['text/plain', 'application/yaml', 'application/x-yaml', 'text/yaml', 'application/octet-stream']
const maxBytes = 256 * 1024

const minor = z.string().check(z.regex(/^\d{1,3}\.\d{1,3}$/))

/** The support table of istio.io: each release line with the Kubernetes versions that it supports. */
const SupportStatus = z
  .array(z.object({ version: z.string(), k8sVersions: z.catch(z.array(minor).check(z.maxLength(100)), []) }))
  .check(z.minLength(1), z.maxLength(1000))

/** Kubernetes versions that release lines of Istio support. `day`: of the answer, `YYYY-MM-DD`. */
export function fetchIstioSupport(
  http: Http,
  url: string,
  { state, day }: { state: SourceState; day: string },
): Promise<FactListOutcome<Compatibility>> {
  return fetchList(http, {
    url,
    types,
    maxBytes,
    state,
    what: 'a table of support',
    read: (body) => {
      const rows = readYaml(body, SupportStatus)?.flatMap(toRow) ?? []
      const facts = rows.map((row) => ({
        ...row,
        slug: 'istio',
        kind: 'supported' as const,
        source: url,
        as_of: day,
      }))
      return rows.length > 0 ? { facts, hashed: rows } : undefined
    },
  })
}

/** The line `master` is not a release. */
function toRow({ version: line, k8sVersions }: z.infer<typeof SupportStatus>[number]) {
  const minors = k8sVersions.toSorted((a, b) => rank(a) - rank(b))
  if (!minor.safeParse(line).success || minors.length === 0) return []
  return [{ line, kubernetes_min: minors[0]!, kubernetes_max: minors.at(-1)! }]
}

function rank(version: string) {
  const [major, number] = version.split('.')
  return Number(major) * 1000 + Number(number)
}

import { highest } from '../contract/severity-rank.ts'
import { parseVersion } from '../freshness/versions.ts'
import type { Advisory, ProjectAdvisory } from './advisory.ts'

export interface KnownSecurity {
  /** Advisories published by the project. */
  published: readonly ProjectAdvisory[]
  /** Answers of advisory databases, by id. */
  answers: ReadonlyMap<string, Advisory>
  tagPattern: RegExp | undefined
}

export interface NamedRelease {
  version: string
  /** Empty unless it is a chart. */
  chartName: string
  /** Advisory ids that it claims to fix. */
  ids: readonly string[]
}

/** Maximum advisories of each kind per release. */
const maxAdvisories = 50

/** Security facts of a release: from advisories that name its version as fixed, and those mentioned in its notes. */
export function createSecurityLookup({ published, answers, tagPattern }: KnownSecurity) {
  const fixes = new Map<string, ProjectAdvisory[]>()
  for (const advisory of published) {
    for (const key of new Set(advisory.fixedIn.map((text) => versionKey(text)))) {
      if (key !== undefined) fixes.set(key, [...(fixes.get(key) ?? []), advisory])
    }
  }
  return ({ version, chartName, ids }: NamedRelease) => {
    const key = chartName === '' ? versionKey(version, tagPattern) : undefined
    const own = (key === undefined ? [] : (fixes.get(key) ?? [])).slice(0, maxAdvisories)
    const named = ids.flatMap((id) => answers.get(id) ?? []).slice(0, maxAdvisories)
    const known = [...own, ...named]
    if (known.length === 0) return undefined
    const severity = highest(known.map((advisory) => advisory.severity))
    const worst = known.filter((advisory) => advisory.severity === severity)
    const summary = [...worst, ...known].find((advisory) => advisory.summary !== '')?.summary
    return {
      hasFix: true,
      ids: [...new Set(known.flatMap(({ id, aliases }) => [id, ...aliases]))].filter((id) => /^(?:CVE|GHSA)-/.test(id)),
      severity,
      ...(summary !== undefined && { summary }),
      links: own.map(({ url }) => url),
    }
  }
}

/** Equal keys for `v1.2`, `1.2.0` and `controller-1.2`; undefined without a version. */
export function versionKey(text: string, tagPattern?: RegExp) {
  const version = parseVersion(text, tagPattern)
  if (!version) return undefined
  const { segments, prerelease, revision, variant } = version
  const last = segments.findLastIndex((segment) => segment !== '0')
  return JSON.stringify([segments.slice(0, last + 1), prerelease, revision, variant])
}

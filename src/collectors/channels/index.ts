import * as z from 'zod/mini'
import type { ReleaseFault } from '../../contract/state-facts.ts'
import { type FactListOutcome, fetchList, ofFile } from '../fact-list.ts'
import { readYaml } from '../helm/yaml.ts'
import type { Http } from '../http.ts'
import type { SourceState } from '../source-state.ts'

type Distribution = 'k3s' | 'rke2'

/** The channels of a distribution: offered releases, and excluded ones. */
const Channels = z.object({
  channels: z
    .array(
      z.object({
        name: z.string(),
        excludeRegexp: z.optional(z.string().check(z.maxLength(10_000))),
      }),
    )
    .check(z.minLength(1), z.maxLength(1000)),
})

/**
 * One alternative of a pattern, if it matches a single release: `v1\.25\.5\+rke2r1`. Foreign patterns are never executed.
 */
const oneRelease = /^\^?v(\d+\\\.\d+\\\.\d+\\\+(?:k3s|rke2r)\d+)\$?$/

/** The releases that a distribution excludes from all its channels. */
export function fetchExcluded(
  http: Http,
  url: string,
  { state, distribution }: { state: SourceState; distribution: Distribution },
): Promise<FactListOutcome<ReleaseFault>> {
  return fetchList(http, {
    url,
    ...ofFile,
    state,
    what: 'channels',
    read: (body) => {
      const list = readYaml(body, Channels)
      if (!list) return undefined
      const facts = excludedIn(list, distribution).map((version) => ({
        slug: distribution,
        // Tags of images have `-` for `+`.
        versions: [version, `v${version.replace('+', '-')}`],
        kind: 'withdrawn' as const,
        reason: 'Kept out of the release channels.',
        source: url,
      }))
      return { facts }
    },
  })
}

/** Versions without `v`, in order. */
function excludedIn({ channels }: z.infer<typeof Channels>, distribution: Distribution) {
  const alternatives = channels.flatMap(({ excludeRegexp = '' }) =>
    excludeRegexp.replace(/^\((.*)\)$/s, '$1').split('|'),
  )
  const versions = alternatives.flatMap((pattern) => oneRelease.exec(pattern)?.[1]?.replaceAll('\\', '') ?? [])
  return [...new Set(versions.filter((version) => version.includes(`+${distribution}`)))].sort()
}

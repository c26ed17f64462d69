import type { Credential, Source } from '../collectors/collector.ts'
import { productOf } from '../lifecycle/bundled.ts'
import type { TrackedProject } from '../store/source.ts'

export interface SourceHosts {
  /** Of GitHub Enterprise. */
  githubHosts: readonly string[]
  /** Of endoflife.date; undefined: nobody is asked about release cycles. */
  eolUrl?: string | undefined
}

/**
 * Where a project's releases are: its repository on GitHub, and its charts in a Helm repository or an OCI registry; and
 * who tells of its release cycles.
 */
export function sourcesOf(project: TrackedProject, hosts: SourceHosts, credential?: Credential): Source[] {
  const { slug, tagPattern, chartNames, repoUrl, helmChartRepo, eolProduct } = project
  const common = { slug, tagPattern, chartNames, credential }
  const host = URL.parse(repoUrl)?.host
  const isGithub = host === 'github.com' || (host !== undefined && hosts.githubHosts.includes(host))
  const product = eolProduct ?? productOf(slug)
  return [
    ...(isGithub ? [{ ...common, kind: 'github' as const, url: repoUrl }] : []),
    ...(helmChartRepo === null || helmChartRepo === ''
      ? []
      : [
          {
            ...common,
            kind: helmChartRepo.startsWith('oci://') ? ('oci' as const) : ('helm' as const),
            url: helmChartRepo,
          },
        ]),
    ...(hosts.eolUrl && product ? [{ ...common, kind: 'eol' as const, url: `${hosts.eolUrl}/${product}` }] : []),
  ]
}

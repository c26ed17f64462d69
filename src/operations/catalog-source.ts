import type { Source, SourceKind } from '../collectors/collector.ts'
import { productOf } from '../lifecycle/bundled.ts'
import type { TrackedProject } from '../store/source.ts'

export interface SourceHosts {
  /** Of GitHub Enterprise. */
  githubHosts: readonly string[]
  /** Address of endoflife.date; undefined disables it. */
  eolUrl?: string | undefined
  /** Whether there is a token for the project at its address, apart from whether it can be had. */
  hasToken?: (project: TrackedProject, address: string) => boolean
}

/**
 * Where a project's releases are: its repository on GitHub, and its charts in a Helm repository or an OCI registry; and
 * who tells of its release cycles. Its advisories are there only for who has a token: GitHub answers too little without.
 */
export function sourcesOf(project: TrackedProject, hosts: SourceHosts): Source[] {
  const { slug, tagPattern, chartNames, repoUrl, helmChartRepo, eolProduct } = project
  const common = { slug, tagPattern, chartNames }
  const host = URL.parse(repoUrl)?.host
  const isGithub = host !== undefined && (host === 'github.com' || hosts.githubHosts.includes(host))
  const product = eolProduct ?? productOf(slug)
  const charts = helmChartRepo || undefined
  const places: [kind: SourceKind, url: string | undefined | false][] = [
    ['github', isGithub && repoUrl],
    ['advisories', isGithub && hosts.hasToken?.(project, repoUrl) && repoUrl],
    [charts?.startsWith('oci://') ? 'oci' : 'helm', charts],
    ['eol', product && hosts.eolUrl && `${hosts.eolUrl}/${product}`],
  ]
  return places.flatMap(([kind, url]) => (url ? [{ ...common, kind, url }] : []))
}

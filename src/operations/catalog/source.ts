import { toPackages } from '../../catalog/packages.ts'
import type { Source, SourceKind } from '../../collectors/collector.ts'
import { toProduct } from '../../lifecycle/bundled.ts'
import type { TrackedProject } from '../../store/catalog/source.ts'

export interface SourceHosts {
  /** Hosts of GitHub Enterprise servers. */
  githubHosts: readonly string[]
  /** Address of endoflife.date; undefined disables it. */
  eolUrl?: string | undefined
  /** Address of OSV; undefined disables it. */
  osvUrl?: string | undefined
  /** Whether a token is configured for the project's address, even if the keychain does not return it. */
  hasToken?: (project: TrackedProject, address: string) => boolean
}

/**
 * Sources of a project: its GitHub repository, its charts in a Helm repository or an OCI registry, and its release cycles.
 * Advisories need a token, because GitHub's anonymous rate limit is too low.
 */
export function sourcesFor(project: TrackedProject, hosts: SourceHosts): Source[] {
  const { slug, tagPattern, chartNames, repoUrl, helmChartRepo, eolProduct } = project
  const common = { slug, tagPattern, chartNames }
  const host = URL.parse(repoUrl)?.host
  const isGithub = host !== undefined && (host === 'github.com' || hosts.githubHosts.includes(host))
  const product = eolProduct ?? toProduct(slug)
  const charts = helmChartRepo || undefined
  const packages = toPackages(slug)
  const places: [kind: SourceKind, url: string | undefined | false][] = [
    ['github', isGithub && repoUrl],
    ['advisories', isGithub && hosts.hasToken?.(project, repoUrl) && repoUrl],
    [charts?.startsWith('oci://') ? 'oci' : 'helm', charts],
    ['osv', packages.length > 0 && hosts.osvUrl],
    ['eol', product && hosts.eolUrl && `${hosts.eolUrl}/${product}`],
  ]
  return places.flatMap(([kind, url]) => (url ? [{ ...common, kind, url, ...(kind === 'osv' && { packages }) }] : []))
}

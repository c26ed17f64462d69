import type { Bundle } from '../../catalog/bundle.ts'
import { findReleasePackage, toPackages } from '../../catalog/packages.ts'
import type { Source } from '../../collectors/collector.ts'
import type { SourceKind } from '../../contract/source-kind.ts'
import type { Db } from '../../db/open.ts'
import { toProduct } from '../../lifecycle/bundled.ts'
import { listSources, listTrackedProjects, type StoredSource, type TrackedProject } from '../../store/catalog/source.ts'
import { findBundle } from '../facts/bundle.ts'
import { chooseProjects } from './choose-project.ts'

export interface SourceHosts {
  /** Hosts of GitHub Enterprise servers. */
  githubHosts: readonly string[]
  /** Address of endoflife.date; undefined disables it. */
  eolUrl?: string | undefined
  /** Address of OSV; undefined disables it. */
  osvUrl?: string | undefined
  /** Mirrors of registries, by host. */
  registryMirrors?: Record<string, string>
  /** Whether a token is configured for the project's address, even if the keychain does not return it. */
  hasToken?: (project: TrackedProject, address: string) => boolean
}

/**
 * Sources of a project: its repository or package, its charts in a Helm repository or an OCI registry, and its release cycles. GitHub's
 * API is for those with a token, because its anonymous rate limit is too low; any repository can be read by git.
 */
export function sourcesFor(project: TrackedProject, hosts: SourceHosts, bundle: Bundle): Source[] {
  const { slug, tagPattern, chartNames, repoUrl, helmChartRepo, eolProduct } = project
  const common = { slug, tagPattern, chartNames }
  const host = URL.parse(repoUrl)?.host
  const isGithub = host !== undefined && (host === 'github.com' || hosts.githubHosts.includes(host))
  const hasApi = isGithub && hosts.hasToken?.(project, repoUrl)
  const product = eolProduct ?? toProduct(slug)
  const charts = helmChartRepo || undefined
  const packages = toPackages(bundle, slug)
  const released = findReleasePackage(bundle, slug, hosts.registryMirrors)
  const places: [kind: SourceKind, url: string | undefined | false][] = [
    released ? [released.kind, released.url] : [hasApi ? 'github' : 'git', repositoryPattern.test(repoUrl) && repoUrl],
    ['advisories', hasApi && repoUrl],
    [charts?.startsWith('oci://') ? 'oci' : 'helm', charts],
    ['osv', packages.length > 0 && hosts.osvUrl],
    ['eol', product && hosts.eolUrl && `${hosts.eolUrl}/${product}`],
  ]
  return places.flatMap(([kind, url]) => (url ? [{ ...common, kind, url, ...(kind === 'osv' && { packages }) }] : []))
}

/** Hosts have repositories below an owner; other addresses are pages about a project. */
const repositoryPattern = /^https?:\/\/[^/]+\/[^/]+\/[^/]/

/** A source of a project, and its last check if that was at the same URL. */
export interface ProjectSource {
  project: TrackedProject
  source: Source
  kept: StoredSource | undefined
}

/** Sources of the wanted projects, or of all if none is given. */
export async function listProjectSources(db: Db, hosts: SourceHosts, wanted: string[]): Promise<ProjectSource[]> {
  const projects = chooseProjects(await listTrackedProjects(db), wanted)
  const stored = new Map((await listSources(db)).map((source) => [`${source.projectId} ${source.kind}`, source]))
  const bundle = await findBundle(db)
  return projects.flatMap((project) =>
    sourcesFor(project, hosts, bundle).map((source) => {
      const known = stored.get(`${project.id} ${source.kind}`)
      return { project, source, kept: known?.url === source.url ? known : undefined }
    }),
  )
}

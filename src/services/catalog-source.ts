import type { Credential, Source } from '../collectors/collector.ts'
import type { TrackedProject } from '../store/source.ts'

/** Where a project's releases are: its repository on GitHub, and its charts in a Helm repository or an OCI registry. */
export function sourcesOf(project: TrackedProject, githubHosts: readonly string[], credential?: Credential): Source[] {
  const { slug, tagPattern, chartNames, repoUrl, helmChartRepo } = project
  const common = { slug, tagPattern, chartNames, credential }
  const host = URL.parse(repoUrl)?.host
  const isGithub = host === 'github.com' || (host !== undefined && githubHosts.includes(host))
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
  ]
}

import type { SourceKind } from '../contract/source-kind.ts'
import type { Collector } from './collector.ts'
import { createEndOfLifeCollector } from './end-of-life/index.ts'
import { createGitCollector } from './git/index.ts'
import { createGithubAdvisoryCollector } from './github-advisories/index.ts'
import { createGithubCollector, type GithubSettings } from './github-releases/index.ts'
import { createHelmCollector } from './helm/index.ts'
import { createOciCollector, type OciSettings } from './oci/index.ts'
import { createOsvCollector } from './osv-advisories/index.ts'
import { createPackageCollector } from './packages/index.ts'

export function createCollectors(github: GithubSettings, oci: OciSettings): Record<SourceKind, Collector> {
  return {
    git: createGitCollector(github),
    github: createGithubCollector(github),
    advisories: createGithubAdvisoryCollector(github),
    npm: createPackageCollector('npm'),
    pypi: createPackageCollector('pypi'),
    maven: createPackageCollector('maven'),
    helm: createHelmCollector(),
    oci: createOciCollector(oci),
    osv: createOsvCollector(),
    eol: createEndOfLifeCollector(),
  }
}

import type { Collector, SourceKind } from './collector.ts'
import { createEndOfLifeCollector } from './end-of-life/index.ts'
import { createGithubAdvisoryCollector } from './github-advisories/index.ts'
import { createGithubCollector, type GithubSettings } from './github-releases/index.ts'
import { createHelmCollector } from './helm/index.ts'
import { createOciCollector, type OciSettings } from './oci/index.ts'
import { createOsvCollector } from './osv-advisories/index.ts'

export interface CollectorSettings {
  github: GithubSettings
  /** If absent, registries are accessed anonymously. */
  oci?: OciSettings
}

export function createCollectors(settings: CollectorSettings): Partial<Record<SourceKind, Collector>> {
  return {
    github: createGithubCollector(settings.github),
    advisories: createGithubAdvisoryCollector(settings.github),
    helm: createHelmCollector(),
    oci: createOciCollector(settings.oci ?? { env: {} }),
    osv: createOsvCollector(),
    eol: createEndOfLifeCollector(),
  }
}

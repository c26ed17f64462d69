import type { Collector, SourceKind } from './collector.ts'
import { createGithubCollector, type GithubSettings } from './github-releases/index.ts'
import { createHelmCollector } from './helm/index.ts'

export interface CollectorSettings {
  github: GithubSettings
}

export function createCollectors(settings: CollectorSettings): Partial<Record<SourceKind, Collector>> {
  return { github: createGithubCollector(settings.github), helm: createHelmCollector() }
}

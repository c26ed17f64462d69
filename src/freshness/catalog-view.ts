import type { Eol } from '../contract/eol.ts'
import type { Severity } from '../contract/shape.ts'
import type { KnownAdvisory } from './affected.ts'
import type { StateFacts } from './facts/state-facts.ts'
import type { ManagedFacts } from './managed-facts.ts'

/** Catalog facts for freshness. The store provides them; this room does not access the database. */
export interface CatalogView {
  /** Day on which the facts were gathered, `YYYY-MM-DD`. */
  date: string
  /** Every project that `lookupKeys` could find, and `kubernetes`. */
  projects: KnownProject[]
  releasesFor(projectId: number): KnownRelease[]
  /** Undefined if no source knows whether the project has advisories. */
  advisoriesFor(projectId: number): KnownAdvisory[] | undefined
  /** End of support of the cycle of a version; `today` is `YYYY-MM-DD`. */
  endOfLifeFor(project: KnownProject, segments: readonly string[], today: string): Eol | undefined
  /** Facts about managed offerings. */
  managed?: ManagedFacts | undefined
  /** Retired, faulty or moved things; absent if there are no facts. */
  facts?: StateFacts | undefined
}

export interface KnownProject {
  id: number
  slug: string
  name: string
  repoUrl: string
  helmChartRepo: string | null
  /** Fully qualified and lower-case: `docker.io/library/nginx`. */
  imageRepositories: string[]
  chartNames: string[]
  /** Regular expression for release tags with more than a plain `v`; its group is the version. */
  tagPattern: string | null
  /** Every app release since this day is known, `YYYY-MM-DD`; absent if some may be missing. */
  completeSince?: string | undefined
  /** Chart → day since which every release of it is known, `YYYY-MM-DD`. */
  chartsCompleteSince?: Partial<Record<string, string>>
  /** The last day on which its app releases were read, `YYYY-MM-DD`; absent if that is not known. */
  knownUntil?: string | undefined
  /** The same for its charts, by name. */
  chartsKnownUntil?: Partial<Record<string, string>>
  /** Whether a security fix or an advisory is known, or its advisories were requested and there are none. */
  hasSecurityFacts?: boolean
  /** Day of the last request for its advisories, `YYYY-MM-DD`; if absent, only its releases name fixes. */
  securityAsOf?: string | undefined
  /** A source has reported its advisories, or that there are none. */
  hasAdvisories?: boolean
  /** Day of a database's last answer about its advisories, `YYYY-MM-DD`; if absent, the catalog's day. */
  advisoriesAsOf?: string | undefined
  /** All advisories since this day are known, `YYYY-MM-DD`; null: only some are; absent: no source states it. */
  advisoriesSince?: string | null | undefined
}

export interface KnownRelease {
  id: number
  version: string
  type: 'app' | 'helm' | 'pre'
  chartName: string | null
  /** Unix seconds. */
  publishedAt: number
  hasSecurityFix: boolean
  severity: Severity
  /** Whether a chart states its own version as its app version; absent if it states none. */
  hasAppVersion?: boolean
}

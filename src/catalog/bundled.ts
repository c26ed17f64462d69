import type { CncfStatus } from '../contract/project.ts'
import type { Severity } from '../contract/shape.ts'
import { type Bundle, builtIn } from './bundle.ts'

/** The projects of a bundle: see docs/catalog.md for its sources and formats. */
export interface BundledCatalog {
  projects: BundledProject[]
  /** By slug, like the other members. */
  releases: Partial<Record<string, BundledReleases>>
  history: Partial<Record<string, BundledHistory>>
  advisories: Partial<Record<string, BundledAdvisories>>
  derived: Partial<Record<string, DerivedFacts>>
}

export interface BundledProject {
  slug: string
  name: string
  description: string
  category: string
  cncf_status: CncfStatus
  homepage: string
  docs_url: string | null
  repo_url: string
  helm_chart_repo: string | null
  helm_chart_names: string[]
  image_repositories: string[]
  tag_pattern: string | null
}

/** Days are `YYYY-MM-DD`, or a time `YYYY-MM-DD HH:MM:SS` in UTC. A release only has a URL if no template gives it. */
export interface BundledReleases {
  url?: { app?: string; helm?: Record<string, string> }
  app?: [version: string, published: string, url?: string][]
  helm?: Record<
    string,
    [version: string, published: string, appVersion: string | null, url?: string | null, kubeVersion?: string][]
  >
  pre?: [version: string, published: string, chart: string | null, appVersion: string | null, url?: string][]
}

/** Which releases of a project are known. Days are `YYYY-MM-DD`. */
export interface BundledHistory {
  /** The last day on which its app releases were read; null if none is known. */
  known_until: string | null
  /** Every app release since then is known; null if some may be missing. */
  complete_since: string | null
  /** Where its releases come from. */
  basis: string
  /** The same for charts, by name. */
  charts?: Record<string, { known_until: string; complete_since?: string }>
}

export interface BundledAdvisories {
  /** Day of the oldest database that describes the project. */
  as_of: string
  /** All advisories since this day are known; null: only some are. Absent: no source states it. */
  since?: string | null
  advisories: BundledAdvisory[]
}

export type BundledAdvisory = [
  id: string,
  aliases: string[],
  severity: Severity | null,
  score: number | null,
  published: string | null,
  /** 1: only the day of the database's own record is known. */
  isRecordDate: 0 | 1,
  affected: [introduced: string, fixed?: string | null, lastAffected?: string][],
  databases: string[],
]

/** Derived from the other files by `npm run catalog`. */
export interface DerivedFacts {
  /** The newest stable release and its time. */
  latest?: [version: string, published: string]
  /** App releases with security fixes, with the indexes of the fixed advisories in the project's list. */
  fixes?: Record<string, number[]>
}

export function bundledCatalog({ read }: Bundle = builtIn): BundledCatalog {
  return {
    projects: read('projects'),
    releases: read('releases'),
    history: read('history'),
    advisories: read('advisories'),
    derived: read('derived'),
  }
}

/** Template of the pages of releases, where the data names none. */
export const releasePage = (repositoryUrl: string) => `${repositoryUrl}/releases/tag/{version}`

export function releaseUrl(template: string, version: string) {
  return template
    .replace('{version}', version)
    .replace('{encoded}', encodeURIComponent(version))
    .replace('{plain}', version.replace(/^v/, ''))
}

import type { FreshnessStatus } from '../contract/freshness.ts'
import type { DatedRelease } from './releases.ts'
import type { Version } from './versions.ts'

/** Verdict on a running version against the releases of its project. */
export interface VersionVerdict {
  status: FreshnessStatus
  mode: 'exact' | 'line' | 'none'
  /** 0 to 1; 0 when unknown. */
  confidence: number
  /** The numbers that decide, or why there are none. */
  evidence: string
  /** Newer than all releases of the catalog. */
  isAhead: boolean
  /** Written like the running version. */
  latest: string | null
  sameLine: string | null
  /** The next safe step when it is not the latest: newest of the same line, else of the same first number. */
  step: string | null
  /** How a version of an LTS cycle goes on: within its cycle, to the next LTS, or not at all; null for any other. */
  lts: 'own' | 'next' | 'stay' | null
  /** Releases, or lines when the running version is one. */
  releasesBehind: number | null
  /** The known releases do not reach back to the running version, so that there may be more. */
  isAtLeast: boolean
  daysBehind: number | null
  /** Stable releases after the running version. */
  newer: DatedRelease[]
  /** The last release of the running line, by endoflife.date, where the catalog's releases lack it. It has the id 0. */
  lastOfLine?: DatedRelease | undefined
}

export function unknownVerdict(evidence: string): VersionVerdict {
  return { ...unmeasured, status: 'unknown', mode: 'none', confidence: 0, evidence, isAhead: false }
}

const unmeasured = {
  latest: null,
  sameLine: null,
  step: null,
  lts: null,
  releasesBehind: null,
  isAtLeast: false,
  daysBehind: null,
  newer: [],
}

/** Another first number is a major version, whatever the project calls it. */
export function distance(newest: DatedRelease, current: Version): FreshnessStatus {
  return newest.version.segments[0] === current.segments[0] ? 'minor_behind' : 'major_behind'
}

/** The catalog may be the one that is behind. */
export function aheadOfCatalog(sureness: number, running: string, latest: string) {
  const evidence = `${running} is newer than the newest release in the catalog, ${latest}`
  return { status: 'up_to_date' as const, isAhead: true, confidence: sureness * 0.5, evidence }
}

/** A release's version in the form of the running one, or in its own where the two belong to different tags. */
export function written(release: Version, current: Version): string {
  const text = release.lead === current.lead ? current.prefix + release.bare : release.text
  return current.isTag ? text.replaceAll('+', '-') : text
}

import type { Eol } from '../contract/freshness.ts'
import type { DatedRelease } from './releases.ts'
import type { VersionVerdict } from './verdict.ts'
import type { Version } from './versions.ts'

/** The cycle that a version of the project belongs to. */
export type CycleOf = (version: Version) => Eol | undefined

export const withoutCycles: CycleOf = () => undefined

/** Facts about a project beyond its releases. */
export interface HistoryFacts {
  cycleOf: CycleOf
  /** Unix seconds: every release since then is known. */
  completeSince: number
}

export interface LtsStep {
  lts: NonNullable<VersionVerdict['lts']>
  /** Undefined where it stays. */
  release: DatedRelease | undefined
}

/**
 * From an LTS cycle: the newest of it while it is supported, then the newest of the next LTS that is. Undefined where no
 * LTS is left to go to. `newer` is newest first.
 */
export function ltsStep(newer: DatedRelease[], own: Eol, cycleOf: CycleOf): LtsStep | undefined {
  const newestOf = (cycle: string) => newer.find(({ version }) => cycleOf(version)?.cycle === cycle)
  const ofOwn = own.is_eol ? undefined : newestOf(own.cycle)
  if (ofOwn) return { lts: 'own', release: ofOwn }
  const next = newer.findLast(({ version }) => {
    const eol = cycleOf(version)
    return eol?.is_lts && !eol.is_eol && eol.cycle !== own.cycle
  })
  const cycle = next && cycleOf(next.version)?.cycle
  if (cycle !== undefined) return { lts: 'next', release: newestOf(cycle) }
  return own.is_eol ? undefined : { lts: 'stay', release: undefined }
}

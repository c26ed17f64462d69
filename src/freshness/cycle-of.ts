import type { Eol } from '../contract/freshness.ts'
import type { Version } from './versions.ts'

/** The cycle that a version of the project belongs to. */
export type CycleOf = (version: Version) => Eol | undefined

export const withoutCycles: CycleOf = () => undefined

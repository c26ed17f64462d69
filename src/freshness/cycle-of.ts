import type { Eol } from '../contract/eol.ts'
import type { Version } from './versions.ts'

/** Returns the release cycle that a version of the project belongs to. */
export type CycleOf = (version: Version) => Eol | undefined

export const withoutCycles: CycleOf = () => undefined

/** The running cycle with its common name: `Ubuntu 20.04`. */
export interface Support extends Eol {
  name: string
}

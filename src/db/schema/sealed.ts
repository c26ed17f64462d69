import type { Sealed } from '../../util/seal.ts'
import { blob, text } from './table.ts'

/** Private data of a row, and the data key that sealed it. Triggers reject data sealed with a retired key. */
export const sealed = { key_id: text(), sealed: blob<Sealed>() }

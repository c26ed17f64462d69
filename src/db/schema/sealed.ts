import type { Sealed } from '../../util/seal.ts'
import { blob, text } from './table.ts'

/** What a row keeps private, and the data key that sealed it. Triggers refuse bytes that were sealed with a retired key. */
export const sealed = { key_id: text(), sealed: blob<Sealed>() }

import type { Advisory } from '../security/advisory.ts'

export type AdvisoryAnswer =
  /** It bears the id that was asked for, whatever its main one is. */
  | { kind: 'found'; advisory: Advisory }
  /** It does not exist or was withdrawn. */
  | { kind: 'absent' }
  /** Nothing can be said of it now. */
  | { kind: 'unknown' }

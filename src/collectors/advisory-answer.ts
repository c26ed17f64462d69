import type { Advisory } from '../security/advisory.ts'

export type AdvisoryAnswer =
  /** Has the requested id, even if its main id is another. */
  | { kind: 'found'; advisory: Advisory }
  /** The advisory does not exist or was withdrawn. */
  | { kind: 'absent' }
  /** No usable answer at the moment. */
  | { kind: 'unknown' }

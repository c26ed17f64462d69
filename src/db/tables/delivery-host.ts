import type { UnixSeconds } from '../../util/time.ts'

/** Failures of a host in a row; a host without a row has none. */
export interface DeliveryHostTable {
  host: string
  failures: number
  /** No sender calls it before. */
  open_until: UnixSeconds
}

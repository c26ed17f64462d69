import { hash } from 'node:crypto'
import { trimJson } from '../util/json.ts'

/** Idempotency key of an upload: the report's own, so that the same report sent twice is stored once. */
export function keyOfReport(report: Uint8Array): string {
  return `sha256-${hash('sha256', trimJson(report), 'hex')}`
}

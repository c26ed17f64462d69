import { randomUUID } from 'node:crypto'

/** Idempotency key of one upload. Its retries and the spool keep it; another upload of the same report has its own. */
export const newUploadKey = (): string => `relt-${randomUUID()}`

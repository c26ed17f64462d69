import { randomUUID } from 'node:crypto'

/** Idempotency key of one upload. Its retries and the spool keep it; another upload of the same report gets a new one. */
export const newUploadKey = () => `relt-${randomUUID()}`

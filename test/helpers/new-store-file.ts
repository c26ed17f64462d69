import { fileURLToPath } from 'node:url'

/** What new stores of tests begin as: see `make-new-store.ts`. */
export const newStoreFile = fileURLToPath(new URL('../../node_modules/.cache/new-store.db', import.meta.url))

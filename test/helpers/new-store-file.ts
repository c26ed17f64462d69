import { fileURLToPath } from 'node:url'

const fileOf = (name: string) => fileURLToPath(new URL(`../../node_modules/.cache/${name}`, import.meta.url))

/** What new stores of tests begin as: see `make-new-store.ts`. */
export const newStoreFile = fileOf('new-store.db')

/** A new store without the catalog. */
export const emptyStoreFile = fileOf('empty-store.db')

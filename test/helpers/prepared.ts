import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `prepare.ts` makes what is in this folder before the tests. */
export const preparedFolder = fileURLToPath(new URL('../../node_modules/.cache/prepared', import.meta.url))

/** What new stores of tests begin as. */
export const newStoreFile = join(preparedFolder, 'new-store.db')

/** A new store without the catalog. */
export const emptyStoreFile = join(preparedFolder, 'empty-store.db')

/** The program, as processes and threads of tests run it. Loading it takes a third as long as loading its source. */
export const reltFile = join(preparedFolder, 'program/main.cjs')

/** Uploads distinct reports: see `uploader.ts`. */
export const uploaderFile = join(preparedFolder, 'program/uploader.cjs')

/** Keeps uploads in a spool: see `spooler.ts`. */
export const spoolerFile = join(preparedFolder, 'program/spooler.cjs')

/** Opens a store: see `opener.ts`. */
export const openerFile = join(preparedFolder, 'program/opener.cjs')

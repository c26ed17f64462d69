/**
 * A new store as a SQLite file: every table, and the bundled catalog. Undefined from source, where a new store migrates
 * and imports the catalog itself. Both builds and the tests replace this module: they read a file made by
 * `scripts/catalog/new-store.ts`.
 */
export function readNewStore(): Uint8Array | undefined {
  return undefined
}

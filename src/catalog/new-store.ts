/**
 * A new store as a SQLite file with all tables and the bundled catalog. Undefined when run from source, where a new store
 * migrates and imports the catalog itself. Both builds and the tests replace this module, to read a file created by
 * `scripts/catalog/new-store.ts`.
 */
export function readNewStore(): Uint8Array | undefined {
  return undefined
}

import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { emptyStoreFile, newStoreFile } from './new-store-file.ts'

/** Before all tests: makes the files that new stores begin as, as the builds do, when the source has changed since. */
export default async function setup(): Promise<void> {
  const hash = createHash('sha256').update(process.version)
  for (const file of globSync('src/**/*.{ts,json}').sort()) hash.update(`${file}\n`).update(readFileSync(file))
  const digest = hash.digest('hex')
  const digestFile = `${newStoreFile}.sha256`
  if (existsSync(newStoreFile) && existsSync(digestFile) && readFileSync(digestFile, 'utf8') === digest) return
  const { makeNewStore } = await import('../../scripts/catalog/new-store.ts')
  mkdirSync(dirname(newStoreFile), { recursive: true })
  write(newStoreFile, await makeNewStore())
  write(emptyStoreFile, await makeNewStore({ catalog: false }))
  write(digestFile, Buffer.from(digest))
}

/** Another run may read the file meanwhile. */
function write(file: string, bytes: Uint8Array): void {
  const partial = `${file}.${process.pid}`
  writeFileSync(partial, bytes)
  renameSync(partial, file)
}

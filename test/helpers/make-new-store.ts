import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { newStoreFile } from './new-store-file.ts'

/** Before all tests: makes the file that new stores begin as, as the builds do, when the source has changed since. */
export default async function setup(): Promise<void> {
  const hash = createHash('sha256').update(process.version)
  for (const file of globSync('src/**/*.{ts,json}').sort()) hash.update(`${file}\n`).update(readFileSync(file))
  const digest = hash.digest('hex')
  const digestFile = `${newStoreFile}.sha256`
  if (existsSync(newStoreFile) && existsSync(digestFile) && readFileSync(digestFile, 'utf8') === digest) return
  const { makeNewStore } = await import('../../scripts/catalog/new-store.ts')
  mkdirSync(dirname(newStoreFile), { recursive: true })
  // Another run may read the file meanwhile.
  const partial = `${newStoreFile}.${process.pid}`
  writeFileSync(partial, await makeNewStore())
  renameSync(partial, newStoreFile)
  writeFileSync(digestFile, digest)
}

/**
 * `npm run catalog:bundle -- FILE`: packs the bundled facts into the file that `relt catalog pull` takes, signed with the
 * Ed25519 key in PEM on standard input. `docs/trust.md` describes the key.
 */
import { createPrivateKey } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { builtIn } from '../../src/catalog/bundle.ts'
import { bundleForm } from '../../src/contract/bundle-form.ts'
import type { FiledBundle } from '../../src/contract/catalog.ts'
import { lifecycleTables } from '../../src/lifecycle/tables.ts'
import { packFile } from '../../src/operations/catalog/file.ts'
import { toSigningKey } from '../../src/operations/catalog/signature.ts'

/** The facts that are built into relt. */
export function builtInBundle(): FiledBundle {
  const { read, ...days } = builtIn
  const names = globSync('src/catalog/data/*.json').map((file) => basename(file, '.json'))
  const files = Object.fromEntries(names.sort().map((name) => [name, read(name)]))
  return { form: bundleForm, ...days, files: { ...files, ...lifecycleTables() } }
}

if (import.meta.main) {
  const [file] = process.argv.slice(2)
  if (file === undefined) throw new Error('Name the file to write: npm run catalog:bundle -- FILE')
  const key = toSigningKey(createPrivateKey(readFileSync(0)))
  writeFileSync(file, await packFile({ bundle: builtInBundle() }, Math.floor(Date.now() / 1000), key))
  console.log(`Signed by ${key.publicKey}`)
}

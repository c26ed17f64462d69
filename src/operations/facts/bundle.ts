import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { type Bundle, type BundleDays, builtIn, isNewer } from '../../catalog/bundle.ts'
import { readData } from '../../catalog/read-data.ts'
import { bundleForm } from '../../contract/bundle-form.ts'
import type { FiledBundle } from '../../contract/catalog.ts'
import { findMeta, setMeta } from '../../db/meta.ts'
import type { Db } from '../../db/open.ts'

/** Bundles of stores, with the text that names them there. */
const opened = new WeakMap<Db, { name: string; bundle: Bundle }>()

/** The newest bundle: a pulled one, if it is newer than the one built into relt. */
export async function findBundle(db: Db): Promise<Bundle> {
  const name = await findMeta(db, 'catalog_bundle')
  if (name === undefined) return builtIn
  const known = opened.get(db)
  if (known?.name === name) return known.bundle
  const { form, ...days } = JSON.parse(name) as BundleDays & { form: number }
  const bundle = form === bundleForm && isNewer(days, builtIn) ? await openBundle(db, days) : builtIn
  opened.set(db, { name, bundle })
  return bundle
}

async function openBundle(db: Db, days: BundleDays): Promise<Bundle> {
  const files: Record<string, string> = JSON.parse((await findMeta(db, 'bundle_files'))!)
  const find = (name: string) =>
    files[name] && JSON.parse(zstdDecompressSync(Buffer.from(files[name], 'base64')).toString())
  const { useNewer } = await import('../../lifecycle/tables.ts')
  useNewer(`${days.date} ${String(days.edition).padStart(9, '0')}`, find)
  // An earlier relt may have stored it without a file that this one reads.
  return { ...days, read: (name) => find(name) ?? readData(name) }
}

/** Stores the files compressed, because a program unpacks only what it reads. */
export async function saveBundle(trx: Db, { files, ...days }: FiledBundle) {
  const packed = Object.entries(files).map(([name, file]) => {
    return [name, zstdCompressSync(JSON.stringify(file)).toString('base64')]
  })
  await setMeta(trx, 'bundle_files', JSON.stringify(Object.fromEntries(packed)))
  await setMeta(trx, 'catalog_bundle', JSON.stringify(days))
}

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
import { makeNewStore } from './new-store.ts'

const data = 'src/catalog/data'

/** Packs each data file of the catalog and a new store with them into the folder. Returns the paths of the packed files. */
export async function packCatalog(folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true })
  const pack = (name: string, plain: string | Buffer, level: number): string => {
    const file = join(folder, `${name}.zst`)
    writeFileSync(file, zstdCompressSync(plain, { params: { [constants.ZSTD_c_compressionLevel]: level } }))
    return file
  }
  const names = readdirSync(data).filter((name) => name.endsWith('.json'))
  const packed = names.map((name) => {
    return pack(basename(name, '.json'), JSON.stringify(JSON.parse(readFileSync(join(data, name), 'utf8'))), 19)
  })
  // A higher level saves a tenth and takes seconds.
  return [...packed, pack('new-store', await makeNewStore(), 9)]
}

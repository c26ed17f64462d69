import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'

const data = 'src/catalog/data'

/** Packs each data file of the catalog into the folder. Returns the paths of the packed files. */
export function packCatalog(folder: string): string[] {
  mkdirSync(folder, { recursive: true })
  const names = readdirSync(data).filter((name) => name.endsWith('.json'))
  return names.map((name) => {
    const plain = JSON.stringify(JSON.parse(readFileSync(join(data, name), 'utf8')))
    const file = join(folder, `${basename(name, '.json')}.zst`)
    writeFileSync(file, zstdCompressSync(plain, { params: { [constants.ZSTD_c_compressionLevel]: 19 } }))
    return file
  })
}

import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Path of an example report: in the package or the source tree, or unpacked into `folder` from the single executable. */
export async function findExample(name: string, folder: string): Promise<string> {
  const sea = await import('node:sea')
  if (sea.isSea()) {
    const file = join(folder, name)
    await writeFile(file, new Uint8Array(sea.getRawAsset(name) as ArrayBuffer), { flag: 'wx' })
    return file
  }
  const places = ['../examples/', '../../examples/', '../../../../examples/'].map((folder) =>
    fileURLToPath(new URL(folder + name, import.meta.url)),
  )
  return places.find((place) => existsSync(place)) ?? places[0]!
}

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ReltError } from '../../../errors.ts'

/** Text of a generated file: in the package, or in the single executable. */
export async function readBundledFile(name: string) {
  const sea = await import('node:sea')
  if (sea.isSea()) return sea.getAsset(name, 'utf8')
  const places = ['./', '../', '../../../../dist/'].map((folder) =>
    fileURLToPath(new URL(folder + name, import.meta.url)),
  )
  const file = places.find((place) => existsSync(place))
  if (file === undefined) {
    throw new ReltError('not_found', `${name} is created by the build.`, { hint: 'Run npm run build.' })
  }
  return readFileSync(file, 'utf8')
}

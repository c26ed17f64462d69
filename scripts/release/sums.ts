import { writeFileSync } from 'node:fs'
import { pathIn, type Release } from './release-folder.ts'

/** As `sha256sum` writes and checks it. */
export function writeSums(release: Release): void {
  const lines = release.artifacts.map(({ sha256, file }) => `${sha256}  ${file}\n`)
  writeFileSync(pathIn(release, 'SHA256SUMS'), lines.join(''))
}

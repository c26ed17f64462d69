import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { addArtifact, type Release } from './release-folder.ts'
import { addSbom, readSbom } from './sbom.ts'

/** The package for npm. `npm pack` builds `dist/` first, which other forms take man pages from. */
export function addNpmPackage(release: Release): void {
  mkdirSync(release.out, { recursive: true })
  execFileSync('npm', ['pack', '--silent', '--pack-destination', release.out], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const artifact = addArtifact(release, { form: 'npm', file: `relt-${release.version}.tgz` })
  addSbom(release, artifact, readSbom('dist'))
}

/** `npm run release`: all forms of one version in a folder, of the same bytes each time. */
import { rmSync } from 'node:fs'
import { version } from '../../src/version.ts'
import { addChart } from './chart.ts'
import { addExecutables } from './executables.ts'
import { addImages } from './images.ts'
import { addInstallers } from './installers.ts'
import { addNpmPackage } from './npm-form.ts'
import { addPackages } from './packages.ts'
import { addProvenance } from './provenance.ts'
import { addReference } from './reference.ts'
import type { Release } from './release-folder.ts'
import { releaseOptions, usage } from './release-options.ts'
import { writeSums } from './sums.ts'
import { table } from './table.ts'

if (process.argv.includes('--help')) {
  console.log(usage)
} else {
  const release: Release = {
    ...releaseOptions(process.argv.slice(2), version),
    ...{ version, artifacts: [], missing: [] },
  }
  // Everybody may read what an archive holds, wherever it was made.
  process.umask(0o022)
  // A file of an earlier release would be without a checksum.
  rmSync(release.out, { recursive: true, force: true })
  addNpmPackage(release)
  await addExecutables(release)
  addPackages(release)
  addChart(release, addImages(release))
  addInstallers(release)
  await addReference(release)
  addProvenance(release)
  writeSums(release)
  console.log(table(release))
}

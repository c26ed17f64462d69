import { fileURLToPath } from 'node:url'
import { documentation, folderFor } from './executables.ts'
import { debianFiles, maintainer, packagedFiles, rpmFiles } from './packages/files.ts'
import { writePackage } from './packages/nfpm.ts'
import { type Artifact, addArtifact, pathIn, type Release } from './release-folder.ts'
import { addSbom, readSbom } from './sbom.ts'

const machines = { 'linux-x64': ['amd64', 'x86_64'], 'linux-arm64': ['arm64', 'aarch64'] } as const
type PackagedTarget = keyof typeof machines

const script = (name: string) => fileURLToPath(new URL(`packages/${name}`, import.meta.url))

/** What Node needs of a system. */
const needs = {
  deb: ['libc6 (>= 2.28)', 'libgcc-s1', 'libstdc++6 (>= 9)', 'passwd'],
  rpm: ['glibc >= 2.28', 'libgcc', 'libstdc++ >= 9', 'shadow-utils'],
}

/** Adds packages for Debian and for RPM of each executable that they can hold. */
export function addPackages(release: Release): void {
  const beside = documentation()
  for (const artifact of release.artifacts.filter(({ form }) => form === 'executable')) {
    if (artifact.target !== undefined && artifact.target in machines)
      for (const packager of ['deb', 'rpm'] as const)
        addPackage(release, artifact as Artifact & { target: PackagedTarget }, { packager, beside })
  }
}

function addPackage(
  release: Release,
  { file: executable, target }: Artifact & { target: PackagedTarget },
  { packager, beside }: { packager: 'deb' | 'rpm'; beside: Map<string, Buffer> },
): void {
  const { version, time } = release
  const [debian, rpm] = machines[target]
  const file = packager === 'deb' ? `relt_${version}_${debian}.deb` : `relt-${version}-1.${rpm}.rpm`
  const zsh = beside.get('completion/_relt')!
  const folder = folderFor({ name: target })
  writePackage(packager, pathIn(release, file), {
    fields: {
      ...{ name: 'relt', arch: debian, version, maintainer, section: 'admin', priority: 'optional' },
      ...(packager === 'rpm' && { release: '1', license: 'MIT' }),
      description:
        'Track changes and outdated software in Kubernetes clusters\n' +
        'relt stores the reports of Kubernetes scanners, compares them, and lists\nwhat is out of date. It has a server and an agent.',
      depends: needs[packager],
      scripts: {
        postinstall: script('install.sh'),
        preremove: script('remove.sh'),
        postremove: script('removed.sh'),
      },
      // dpkg of Debian 11 does not know zstd.
      deb: { compression: 'xz' },
      rpm: { compression: 'zstd', buildhost: 'release', summary: 'Track changes in Kubernetes clusters' },
    },
    files: [
      ...packagedFiles({ executable: pathIn(release, executable), folder, documentation: beside }),
      ...(packager === 'deb' ? debianFiles(version, time, zsh) : rpmFiles(zsh)),
    ],
    time,
    folder: `${folder}/packages`,
  })
  addSbom(release, addArtifact(release, { form: 'package', file, target }), readSbom(folder))
}

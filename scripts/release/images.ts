import { readFileSync } from 'node:fs'
import type { ImageDigests } from './chart.ts'
import { folderFor } from './executables.ts'
import { type DebianArch, debianPackages, toComponent } from './image/debian.ts'
import { type Descriptor, Layout } from './image/layout.ts'
import { rootEntries, userId, withFolders } from './image/root.ts'
import { type Artifact, addArtifact, addMissing, pathIn, type Release } from './release-folder.ts'
import { addSbom, readSbom, type Sbom, sbomWith } from './sbom.ts'
import { gzip, tar } from './tar.ts'

const processors = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' } as const
type ImageTarget = keyof typeof processors

interface Platform {
  target: ImageTarget
  arch: DebianArch
  /** As `.tar.gz`. */
  layers: Buffer[]
  sbom: Sbom
}

/** Adds the image of relt, and with tools the agent's; returns their digests. */
export function addImages(release: Release): ImageDigests {
  const executables = release.artifacts.filter(
    (each): each is Artifact & { target: ImageTarget } => each.form === 'executable' && `${each.target}` in processors,
  )
  if (executables.length === 0) {
    addMissing(release, 'image', 'it needs an executable for linux-x64 or linux-arm64')
    return {}
  }
  const platforms = executables.map((executable) => platformFor(release, executable))
  const relt = addImage(release, 'relt', platforms)
  if (release.tools.length === 0) return { relt }
  return { relt, 'relt-agent': addImage(release, 'relt-agent', withTools(release, platforms)) }
}

function platformFor(release: Release, { file, target }: Artifact & { target: ImageTarget }): Platform {
  const arch = processors[target]
  const program = { path: 'usr/bin/relt', data: readFileSync(pathIn(release, file)), mode: 0o755 }
  const layers = [rootEntries(arch), withFolders([program])]
  return {
    target,
    arch,
    layers: layers.map((entries) => gzip(tar(entries, release.time))),
    sbom: sbomWith(
      readSbom(folderFor({ name: target })),
      debianPackages(arch).map((each) => toComponent(each.package)),
    ),
  }
}

/** The platforms for which all tools are given. */
function withTools(release: Release, platforms: Platform[]): Platform[] {
  const names = new Set(release.tools.map(([name]) => name))
  const given = release.tools.map(([name, path]) => ({ name, data: readFileSync(path) }))
  const complete = platforms.map((platform) => {
    const tools = [...names].flatMap(
      (name) => given.find((tool) => tool.name === name && runsOn(tool.data, platform.arch)) ?? [],
    )
    return { platform, tools }
  })
  const fitting = complete.filter(({ tools }) => tools.length === names.size)
  if (fitting.length === 0) throw new Error(`--with: ${[...names].join(' and ')} are not for the same processor`)
  return fitting.map(({ platform, tools }) => {
    const entries = tools.map(({ name, data }) => ({ path: `usr/local/bin/${name}`, data, mode: 0o755 }))
    return { ...platform, layers: [...platform.layers, gzip(tar(withFolders(entries), release.time))] }
  })
}

/** A script runs on each processor; an executable states its own. */
function runsOn(program: Buffer, arch: DebianArch): boolean {
  const isElf = program.subarray(0, 4).toString('latin1') === '\x7fELF'
  return !isElf || program.readUInt16LE(18) === { amd64: 62, arm64: 183 }[arch]
}

function addImage(release: Release, name: string, platforms: Platform[]): string {
  const { version, time, commit } = release
  const labels = {
    'org.opencontainers.image.title': name,
    'org.opencontainers.image.description': 'What changed in your cluster, and what is out of date',
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.licenses': 'MIT',
    ...(commit && { 'org.opencontainers.image.revision': commit }),
  }
  const config = {
    User: `${userId}:${userId}`,
    Env: ['PATH=/usr/local/bin:/usr/bin', 'HOME=/tmp', 'RELT_HOME=/data', 'RELT_KEYCHAIN=off'],
    Entrypoint: ['/usr/bin/relt'],
    Cmd: ['--help'],
    WorkingDir: '/data',
    Volumes: { '/data': {} },
    Labels: labels,
  }
  const layout = new Layout()
  const images = platforms.map(({ arch, layers }) => layout.addImage({ architecture: arch, layers, config, time }))
  const sboms = images.map((image, index) => {
    return layout.addReferrer(image, 'application/vnd.cyclonedx+json', platforms[index]!.sbom)
  })
  const index: Descriptor = layout.addIndex(images, labels)
  const named = (descriptor: Descriptor, tag: string) => ({
    ...descriptor,
    annotations: { 'org.opencontainers.image.ref.name': tag },
  })
  // Some tools take one platform alone.
  const each = images.map((image, at) => named(image, `${version}-${platforms[at]!.arch}`))
  const manifests = [named(index, version), ...each, ...sboms]
  const file = `${name}-${version}-image.tar`
  const artifact = addArtifact(release, { form: 'image', file, data: layout.pack(manifests, time) })
  for (const { arch, sbom } of platforms)
    addSbom(release, { ...artifact, file: `${name}-${version}-image-${arch}` }, sbom)
  return index.digest
}

import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { type Bundle, bundleProgram } from '../binary/bundle.ts'
import { writeExecutable } from '../binary/executable.ts'
import { noticesFile, writeBundled } from '../bundled/write.ts'
import { addonFor, nodeFor } from './parts.ts'
import { type Artifact, addArtifact, addMissing, pathIn, type Release } from './release-folder.ts'
import { addSbom, readSbom } from './sbom.ts'
import { gzip, type TarEntry, tar, zstd } from './tar.ts'
import { type Target, targets } from './targets.ts'

/** Folder of what is made for a target on the way. */
export const folderFor = ({ name }: Pick<Target, 'name'>): string => `dist/sea/${name}`

/** Adds an executable for each target whose Node can be had, and its archives. */
export async function addExecutables(release: Release): Promise<void> {
  const bundle = await bundleProgram('dist/sea')
  const beside = documentation()
  const archives: Promise<void>[] = []
  for (const target of targets.filter(({ name }) => release.targets.includes(name))) {
    const executable = await addExecutable(release, bundle, target)
    if (executable) archives.push(addArchives(release, target, executable, beside))
  }
  await Promise.all(archives)
}

async function addExecutable(release: Release, bundle: Bundle, target: Target): Promise<Artifact | undefined> {
  const { name, platform } = target
  const file = `relt-${release.version}-${name}${platform === 'win32' ? '.exe' : ''}`
  const output = pathIn(release, file)
  const [addon, folder, signed] = [addonFor(target), folderFor(target), release.executables[name]]
  const node = signed === undefined ? nodeFor(target, release.nodes[name]) : undefined
  mkdirSync(release.out, { recursive: true })
  if (signed !== undefined) {
    copyFileSync(signed, output)
    chmodSync(output, 0o755)
    mkdirSync(folder, { recursive: true })
    writeBundled(folder, bundle.metafiles, { addon: relative('.', dirname(addon)) })
  } else if (node) {
    await writeExecutable(bundle, { platform, node, addon, folder, output })
  } else {
    addMissing(release, `executable for ${name}`, `its Node cannot be downloaded: pass --node ${name}=ARCHIVE#SHA256`)
    return undefined
  }
  const artifact = addArtifact(release, { form: 'executable', file, target: name })
  addSbom(release, artifact, readSbom(folder))
  return artifact
}

/** Man pages and completion, by their path in an archive. */
export function documentation(): Map<string, Buffer> {
  const shells = { bash: 'relt.bash', zsh: '_relt', fish: 'relt.fish', powershell: 'relt.ps1' }
  const completion = Object.entries(shells).map(([shell, name]): [string, Buffer] => {
    const script = execFileSync(process.execPath, ['bin/relt.js', 'completion', shell])
    return [`completion/${name}`, script]
  })
  const pages = readdirSync('dist/man').map((name): [string, Buffer] => [
    `man/${name}`,
    readFileSync(`dist/man/${name}`),
  ])
  return new Map([...pages, ...completion])
}

/** Each system unpacks `.tar.gz`; `.tar.zst` is smaller. */
async function addArchives(
  release: Release,
  target: Target,
  { file }: Artifact,
  beside: Map<string, Buffer>,
): Promise<void> {
  const root = `relt-${release.version}-${target.name}`
  const program = target.platform === 'win32' ? 'relt.exe' : 'relt'
  const entries: TarEntry[] = [
    { path: root },
    { path: `${root}/${program}`, data: readFileSync(pathIn(release, file)), mode: 0o755 },
    { path: `${root}/LICENSE`, data: readFileSync('LICENSE') },
    { path: `${root}/${noticesFile}`, data: readFileSync(`${folderFor(target)}/${noticesFile}`) },
    ...['man', 'completion'].map((path) => ({ path: `${root}/${path}` })),
    ...[...beside].map(([path, data]) => ({ path: `${root}/${path}`, data })),
  ]
  const archive = tar(entries, release.time)
  const [gz, zst] = [gzip(archive), await zstd(archive)]
  for (const [end, data] of [
    ['gz', gz],
    ['zst', zst],
  ] as const) {
    addArtifact(release, { form: 'archive', file: `${root}.tar.${end}`, data, target: target.name })
  }
}

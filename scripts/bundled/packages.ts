import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Metafile } from 'esbuild'

/** A package whose code or data is in a bundle. */
export interface BundledPackage {
  name: string
  /** Undefined where it is not stated. */
  version: string | undefined
  /** An SPDX id or expression. */
  license: string
  /** All that its authors want to be shown, LICENSE before NOTICE; empty when there is none. */
  licenseText: string
  purl: string
  homepage?: string | undefined
  /** Of the archive in the registry. */
  archive?: { url: string; sha512: string } | undefined
  /** Package URLs of what it uses in the bundle. */
  uses: string[]
}

interface LockEntry {
  version?: string
  integrity?: string
}

const lock: Record<string, LockEntry> = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages

/**
 * The npm packages that ended up in the outputs of these builds, by name and version. What was shaken off as a whole is not
 * among them. Paths of inputs are relative to the root of the repository, where this runs.
 */
export function toPackages(metafiles: Metafile[]): BundledPackage[] {
  const folders = new Set(metafiles.flatMap(foldersIn))
  const uses = usesOf(metafiles)
  return [...folders]
    .map((folder) => readPackage(folder, [...(uses.get(folder) ?? [])].map(toPurl)))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Package URLs of what our own code uses. */
export function usedByUs(metafiles: Metafile[]): string[] {
  return [...(usesOf(metafiles).get('') ?? [])].map(toPurl).sort()
}

/** An installed package; the folder is relative to the root of the repository. */
export function readPackage(folder: string, uses: string[] = []): BundledPackage {
  const { name, version, license, homepage, repository } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  return {
    name,
    version,
    license: typeof license === 'string' ? license : (license?.type ?? ''),
    licenseText: licenseTextIn(folder) || addedLicense(name),
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    homepage: webAddress(homepage) ?? webAddress(repository?.url ?? repository),
    archive: toArchive(name, lock[folder]),
    uses,
  }
}

/** Of a package that states a license and contains no text: a file of ours, with what its authors say of themselves. */
function addedLicense(name: string): string {
  const file = `licenses/${name.replace('@', '').replace('/', '-')}.txt`
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
}

const isLicense = /^(licen[cs]e|copying|notice)/i

function licenseTextIn(folder: string): string {
  const files = readdirSync(folder).filter((file) => isLicense.test(file))
  return files
    .sort()
    .map((file) => readFileSync(`${folder}/${file}`, 'utf8').trim())
    .join('\n\n')
}

function foldersIn({ outputs }: Metafile): string[] {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? (folderFor(path) ?? []) : [])),
  )
}

/** Folder of a package, `''` for our own code → folders of packages. One that only passes others on stands for these. */
function usesOf(metafiles: Metafile[]): Map<string, Set<string>> {
  const bundled = new Set(metafiles.flatMap(foldersIn))
  const imports = new Map<string, Set<string>>()
  for (const [path, input] of metafiles.flatMap(({ inputs }) => Object.entries(inputs))) {
    const from = folderFor(path) ?? ''
    const targets = input.imports.flatMap((each) => folderFor(each.path) ?? []).filter((to) => to !== from)
    imports.set(from, new Set([...(imports.get(from) ?? []), ...targets]))
  }
  const reach = (from: string, passed: string[] = []): string[] =>
    [...(imports.get(from) ?? [])].flatMap((to) => {
      if (bundled.has(to)) return to
      return passed.includes(to) ? [] : reach(to, [...passed, to])
    })
  return new Map(['', ...bundled].map((from) => [from, new Set(reach(from).filter((to) => to !== from))]))
}

/** Of an input of the bundler; undefined for our own files. Libraries of the executable are bundles of their own. */
function folderFor(path: string): string | undefined {
  const library = /^library:((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]
  if (library !== undefined) return `node_modules/${library}`
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]
}

const toPurl = (folder: string): string => readPackage(folder).purl

function webAddress(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const url = value.replace(/^git\+/, '').replace(/^(git|ssh):\/\/(git@)?/, 'https://')
  return /^https?:\/\//.test(url) ? url : undefined
}

/** The lock names no registry, so that any mirror serves; the address is that of the public one. */
function toArchive(name: string, { version, integrity }: LockEntry = {}): BundledPackage['archive'] {
  const sha512 = /^sha512-(.+)$/.exec(integrity ?? '')?.[1]
  if (sha512 === undefined) return undefined
  const url = `https://registry.npmjs.org/${name}/-/${name.split('/').at(-1)}-${version}.tgz`
  return { url, sha512: Buffer.from(sha512, 'base64').toString('hex') }
}

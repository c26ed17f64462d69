import { readFileSync } from 'node:fs'

/** A machine that an executable is for. */
export interface Target {
  name: TargetName
  platform: 'linux' | 'darwin' | 'win32'
  arch: 'x64' | 'arm64'
  /** Package with the keychain's addon, whose checksum is in package-lock.json. */
  addon: string
  /** Package with Node. */
  node?: NpmArchive
  /** Archive with Node, for which npm has none. A target without either needs one that is given (`--node`). */
  archive?: WebArchive
}

export interface NpmArchive {
  name: string
  version: string
  /** As npm writes it: `sha512-…`. */
  integrity: string
}

export interface WebArchive {
  url: string
  sha256: string
}

export const targetNames = [
  'linux-x64',
  'linux-arm64',
  'linux-x64-musl',
  'darwin-arm64',
  'darwin-x64',
  'win-x64',
] as const
export type TargetName = (typeof targetNames)[number]

const { packages: lock } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, { version: string; integrity: string }>
}

/** Version of Node in the executables: of which npm has packages, and nodejs.org archives with these SHA-256. */
const node = JSON.parse(readFileSync(new URL('node.json', import.meta.url), 'utf8')) as {
  version: string
  integrity: Partial<Record<TargetName, string>>
  archives: Partial<Record<TargetName, string>>
}

export const targets: Target[] = targetNames.map((name) => {
  const [system, arch, libc] = name.split('-') as [string, Target['arch'], string?]
  const [integrity, sha256] = [node.integrity[name], node.archives[name]]
  const url = `https://nodejs.org/dist/v${node.version}/node-v${node.version}-${name}.tar.gz`
  const platform = system === 'win' ? 'win32' : (system as Target['platform'])
  const variant = { linux: libc ? '-musl' : '-gnu', darwin: '', win32: '-msvc' }[platform]
  return {
    ...{ name, platform, arch, addon: `@napi-rs/keyring-${platform}-${arch}${variant}` },
    ...(integrity && { node: { name: `node-${name}`, version: node.version, integrity } }),
    ...(sha256 && { archive: { url, sha256 } }),
  }
})

/** The archive of a package that package-lock.json names. */
export function lockedPackage(name: string): NpmArchive {
  const { version, integrity } = lock[`node_modules/${name}`]!
  return { name, version, integrity }
}

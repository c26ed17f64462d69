/** Parts of an executable that come from elsewhere. Each is used only if it has its checksum. */
import { execFileSync, spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { lockedPackage, type NpmArchive, type Target, type WebArchive } from './targets.ts'

const cache = 'node_modules/.cache/release'

/** An archive of Node, or its executable itself. */
export interface NodeArchive {
  path: string
  sha256: string
}

/** Path of the target's Node; undefined if it cannot be had. Throws if it has another checksum or version than expected. */
export function nodeFor({ name, node, archive, platform }: Target, given: NodeArchive | undefined): string | undefined {
  const found = given ?? (archive && download(archive))
  if (!node && !found) return undefined
  const folder = found ? unpackArchive(name, found) : unpackPackage(node!)
  const file = ['node', 'node.exe', 'bin/node', 'bin/node.exe', '*/bin/node', '*/node.exe']
    .flatMap((pattern) => globSync(pattern, { cwd: folder }))
    .find((path) => path.endsWith('.exe') === (platform === 'win32'))
  if (!file) throw new Error(`${name}: the archive has no executable of Node`)
  const path = join(folder, file)
  // SQLite, the code and its licenses are those of the version that builds.
  if (readFileSync(path).includes(`${process.version}\0`)) return path
  throw new Error(`${name}: its Node is not ${process.version}, which builds the others`)
}

/** Path of the target's keychain addon. */
export function addonFor({ addon }: Target): string {
  const folder = unpackPackage(lockedPackage(addon))
  return join(folder, globSync('*.node', { cwd: folder })[0]!)
}

function unpackPackage({ name, version, integrity }: NpmArchive): string {
  mkdirSync(cache, { recursive: true })
  const file = `${cache}/${name.replace('@', '').replace('/', '-')}-${version}.tgz`
  if (!existsSync(file)) {
    const args = ['pack', '--silent', `${name}@${version}`, '--pack-destination', cache]
    execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  }
  const found = `sha512-${hash('sha512', readFileSync(file), 'base64')}`
  if (found === integrity) return unpack(file, 1)
  rmSync(file)
  throw new Error(`${basename(file)} has the checksum ${found}, not ${integrity}`)
}

/** Undefined if it cannot be reached. */
function download({ url, sha256 }: WebArchive): NodeArchive | undefined {
  mkdirSync(cache, { recursive: true })
  const path = `${cache}/${sha256}-${basename(url)}`
  const options = ['--fail', '--silent', '--location', '--proto', '=https', '--connect-timeout', '10']
  if (!existsSync(path) || toSha256(path) !== sha256) {
    const { status } = spawnSync('curl', [...options, '--output', path, url])
    if (status !== 0) return undefined
  }
  return { path, sha256 }
}

function unpackArchive(name: string, { path, sha256 }: NodeArchive): string {
  const found = toSha256(path)
  if (found !== sha256) throw new Error(`${name}: ${path} has the SHA-256 ${found}, not ${sha256}`)
  return unpack(path, 0)
}

const toSha256 = (path: string) => hash('sha256', readFileSync(path))

/** Into a new folder each time: what an earlier run left there has no checksum. */
function unpack(file: string, strip: number): string {
  const folder = `${cache}/${basename(file)}.unpacked`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['-xf', file, '-C', folder, `--strip-components=${strip}`])
  return folder
}

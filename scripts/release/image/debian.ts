import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Component } from '../sbom.ts'

/** A package of Debian, whose libraries Node needs. */
export interface DebianPackage {
  name: string
  version: string
  arch: DebianArch | 'all'
  sha256: string
}

export type DebianArch = 'amd64' | 'arm64'

interface Pinned {
  suite: string
  packages: DebianPackage[]
}

const { suite, packages }: Pinned = JSON.parse(readFileSync(new URL('debian.json', import.meta.url), 'utf8'))
const cache = resolve('node_modules/.cache/release/debian')
const mirror = process.env.DEBIAN_MIRROR ?? 'http://deb.debian.org/debian'

/** Packages of the image, each unpacked in a folder. Throws if one cannot be had or has another checksum. */
export function debianPackages(arch: DebianArch): { package: DebianPackage; folder: string; control: string }[] {
  const wanted = packages.filter((each) => each.arch === arch || each.arch === 'all')
  const missing = wanted.filter((each) => !existsSync(fileFor(each)))
  if (missing.length > 0) download(arch, missing)
  return wanted.map((each) => {
    const file = fileFor(each)
    const found = hash('sha256', readFileSync(file))
    if (found !== each.sha256) throw new Error(`${file} has the SHA-256 ${found}, not ${each.sha256}`)
    const folder = `${file}.unpacked`
    rmSync(folder, { recursive: true, force: true })
    execFileSync('dpkg-deb', ['--extract', file, folder])
    return { package: each, folder, control: execFileSync('dpkg-deb', ['--field', file]).toString() }
  })
}

export function toComponent({ name, version, arch, sha256 }: DebianPackage): Component {
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${arch}&distro=debian-13`
  return { type: 'library', 'bom-ref': purl, name, version, purl, hashes: [{ alg: 'SHA-256', content: sha256 }] }
}

/** As apt names it. */
const fileFor = ({ name, version, arch }: DebianPackage): string =>
  `${cache}/${name}_${version.replaceAll(':', '%3a')}_${arch}.deb`

/** By apt, with a state of its own, so that it changes nothing on this machine. */
function download(arch: DebianArch, wanted: DebianPackage[]): void {
  const state = `${cache}/apt-${arch}`
  for (const folder of ['state/lists/partial', 'cache/archives/partial', 'etc/preferences.d']) {
    mkdirSync(`${state}/${folder}`, { recursive: true })
  }
  const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'
  writeFileSync(`${state}/etc/sources.list`, `deb [signed-by=${keyring}] ${mirror} ${suite} main\n`)
  const settings = {
    Dir: state,
    'Dir::State': `${state}/state`,
    'Dir::State::status': '/dev/null',
    'Dir::Cache': `${state}/cache`,
    'Dir::Etc': `${state}/etc`,
    'APT::Architecture': arch,
    'APT::Architectures': arch,
    'APT::Sandbox::User': '',
    'Acquire::Languages': 'none',
    'Acquire::Check-Valid-Until': 'false',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  const apt = (...args: string[]) =>
    execFileSync('apt-get', [...options, '-qq', ...args], { cwd: cache, stdio: ['ignore', 'ignore', 'inherit'] })
  try {
    apt('update')
    apt('download', ...wanted.map(({ name, version }) => `${name}=${version}`))
  } catch (cause) {
    const hint = 'A mirror keeps only the newest release: set DEBIAN_MIRROR to an address of snapshot.debian.org'
    throw new Error(`${mirror} has not all packages of scripts/release/image/debian.json. ${hint}`, { cause })
  }
}

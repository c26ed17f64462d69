import { globSync, readFileSync, readlinkSync } from 'node:fs'
import type { TarEntry } from '../tar.ts'
import { type DebianArch, debianPackages } from './debian.ts'

/** Any but root; the chart uses the same. */
export const userId = 65_532

/** What Node loads, and what it loads for names of hosts. */
const libraries = [
  ...['ld-linux-*.so.*', 'libc.so.6', 'libdl.so.2', 'libm.so.6', 'libpthread.so.0', 'librt.so.1', 'libresolv.so.2'],
  ...['libnss_dns.so.2', 'libnss_files.so.2', 'libgcc_s.so.1', 'libstdc++.so.6*'],
].map((name) => `usr/lib/*-linux-gnu/${name}`)

/** The file system below relt: libraries of Debian with their licenses, certificates, and a user. No shell, no package manager. */
export function rootEntries(arch: DebianArch): TarEntry[] {
  const unpacked = debianPackages(arch)
  const copied = unpacked.flatMap(({ folder }) =>
    [...libraries, 'usr/lib64/*', 'usr/lib/ld-linux-*', 'usr/share/doc/*/copyright'].flatMap((pattern) =>
      globSync(pattern, { cwd: folder, withFileTypes: true }).map((entry): TarEntry => {
        const file = `${entry.parentPath}/${entry.name}`
        const path = file.slice(folder.length + 1)
        if (entry.isSymbolicLink()) return { path, link: readlinkSync(file) }
        return { path, data: readFileSync(file), mode: path.includes('ld-linux') ? 0o755 : 0o644 }
      }),
    ),
  )
  const certificates = unpacked.flatMap(({ folder }) =>
    globSync('usr/share/ca-certificates/mozilla/*.crt', { cwd: folder })
      .sort()
      .map((path) => readFileSync(`${folder}/${path}`, 'utf8')),
  )
  const files: TarEntry[] = [
    ...copied,
    // Scanners of images know the packages by these.
    ...unpacked.map(({ package: { name }, control }) => ({ path: `var/lib/dpkg/status.d/${name}`, data: control })),
    { path: 'etc/ssl/certs/ca-certificates.crt', data: certificates.join('') },
    { path: 'etc/os-release', data: osRelease },
    {
      path: 'etc/passwd',
      data: `root:x:0:0:root:/root:/sbin/nologin\nrelt:x:${userId}:${userId}:relt:/data:/sbin/nologin\n`,
    },
    { path: 'etc/group', data: `root:x:0:\nrelt:x:${userId}:\n` },
    { path: 'etc/nsswitch.conf', data: 'hosts: files dns\n' },
    { path: 'lib', link: 'usr/lib' },
    ...(arch === 'amd64' ? [{ path: 'lib64', link: 'usr/lib64' }] : []),
    { path: 'tmp', mode: 0o1777 },
    { path: 'data', mode: 0o700, id: userId },
  ]
  return withFolders(files)
}

const osRelease = `PRETTY_NAME="Debian GNU/Linux 13 (trixie), libraries only"
NAME="Debian GNU/Linux"
VERSION_ID="13"
VERSION_CODENAME=trixie
ID=debian
`

/** Adds the folders that files are in. */
export function withFolders(entries: TarEntry[]): TarEntry[] {
  const named = new Set(entries.map(({ path }) => path))
  const folders = new Set(entries.flatMap(({ path }) => parentsFor(path)).filter((path) => !named.has(path)))
  return [...[...folders].map((path) => ({ path })), ...entries]
}

function parentsFor(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

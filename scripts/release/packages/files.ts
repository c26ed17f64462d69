import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { systemdServerUnit, systemdUnit } from '../../../src/agent/units/systemd.ts'
import { noticesFile } from '../../bundled/write.ts'
import type { PackagedFile } from './nfpm.ts'

const program = '/usr/bin/relt'
const account = 'relt'
const own = (name: string) => readFileSync(new URL(name, import.meta.url))
const gz = (data: Buffer | string) => gzipSync(data, { level: 9 })

export interface FilesOptions {
  executable: string
  /** Holds the notices of this executable. */
  folder: string
  /** Man pages and completion, by name: `man/…`, `completion/…`. */
  documentation: Map<string, Buffer>
}

/** What both packages have. */
export function packagedFiles({ executable, folder, documentation }: FilesOptions): PackagedFile[] {
  const units = [
    systemdUnit({ isUser: false, program: [program], config: '/etc/relt/agent.yaml', account, env: {} }),
    systemdServerUnit(program, account),
  ]
  const pages = [...documentation].filter(([name]) => name.startsWith('man/'))
  const completion = (name: string) => documentation.get(`completion/${name}`)!
  return [
    { path: program, source: executable, mode: 0o755 },
    ...pages.map(([name, data]) => ({ path: `/usr/share/man/man1/${name.slice(4)}.gz`, data: gz(data) })),
    { path: '/usr/share/bash-completion/completions/relt', data: completion('relt.bash') },
    { path: '/usr/share/fish/vendor_completions.d/relt.fish', data: completion('relt.fish') },
    ...units.map(({ path, content }) => ({ path: `/usr/lib/systemd/system/${path}`, data: content })),
    { path: '/etc/relt' },
    ...['agent.env', 'server.env'].map((name) => ({
      ...{ path: `/etc/relt/${name}`, data: own(name), isConfig: true as const, mode: 0o600 },
    })),
    ...readdirSync('examples').map((name) => ({
      ...{ path: `/usr/share/doc/relt/examples/${name}`, source: `examples/${name}` },
    })),
    { path: `/usr/share/doc/relt/${noticesFile}.gz`, data: gz(readFileSync(`${folder}/${noticesFile}`)) },
  ]
}

/** What Debian wants beside them. */
export function debianFiles(version: string, time: number, zsh: Buffer): PackagedFile[] {
  const date = new Date(time * 1000).toUTCString().replace('GMT', '+0000')
  const changelog = `relt (${version}) stable; urgency=medium\n\n  * See CHANGELOG.md of the sources.\n\n -- ${maintainer}  ${date}\n`
  return [
    { path: '/usr/share/zsh/vendor-completions/_relt', data: zsh },
    { path: '/usr/share/doc/relt/changelog.gz', data: gz(changelog) },
    { path: '/usr/share/doc/relt/copyright', data: readFileSync('LICENSE') },
    { path: '/usr/share/lintian/overrides/relt', data: own('lintian-overrides') },
  ]
}

export function rpmFiles(zsh: Buffer): PackagedFile[] {
  return [
    { path: '/usr/share/zsh/site-functions/_relt', data: zsh },
    { path: '/usr/share/licenses/relt/LICENSE', data: readFileSync('LICENSE') },
  ]
}

export const maintainer = 'relt maintainers <maintainers@relt.example>'

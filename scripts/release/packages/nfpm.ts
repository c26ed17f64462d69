import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Builds it from the Go module proxy, whose checksum database knows the version. */
const builder = process.env.NFPM ? [process.env.NFPM] : ['go', 'run', 'github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.44.2']

export interface PackagedFile {
  /** Absolute path on the machine. A folder has neither data nor source. */
  path: string
  data?: Buffer | string
  source?: string
  /** Kept on upgrades when the administrator changed it. */
  isConfig?: true
  mode?: number
}

export interface PackageOptions {
  /** Fields of nfpm's configuration. https://nfpm.goreleaser.com/docs/configuration/ */
  fields: object
  files: PackagedFile[]
  /** Seconds since 1970. */
  time: number
  folder: string
}

/** Writes a package of Debian or of RPM to `output`. */
export function writePackage(packager: 'deb' | 'rpm', output: string, options: PackageOptions): void {
  const { fields, files, time, folder } = options
  const mtime = new Date(time * 1000).toISOString()
  const contents = files.map(({ path, data, source, isConfig, mode }) => {
    const file_info = { mode: mode ?? (data === undefined && !source ? 0o755 : 0o644), mtime }
    if (data === undefined && source === undefined) return { dst: path, type: 'dir', file_info }
    const src = source ?? write(`${folder}/files${path}`, data!)
    return { src, dst: path, file_info, ...(isConfig && { type: 'config|noreplace' }) }
  })
  const config = write(`${folder}/${packager}.json`, JSON.stringify({ ...fields, mtime, contents }))
  const [program, ...args] = builder
  execFileSync(program!, [...args, 'package', '--packager', packager, '--config', config, '--target', output], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(time) },
  })
}

function write(path: string, data: Buffer | string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, data)
  return path
}

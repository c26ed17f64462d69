import { promisify } from 'node:util'
import zlib from 'node:zlib'
import * as libdeflate from 'libdeflate'

export interface TarEntry {
  /** Relative, with slashes. */
  path: string
  /** A folder has none. */
  data?: Buffer | string
  /** Target of a symbolic link. */
  link?: string
  mode?: number
  /** Owner and group, 0 unless given. */
  id?: number
}

const blockSize = 512

/** A tar file that depends on nothing but its entries and the time (in seconds since 1970). */
export function tar(entries: TarEntry[], time: number): Buffer {
  const sorted = entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  return Buffer.concat([...sorted.flatMap((entry) => blocks(entry, time)), Buffer.alloc(2 * blockSize)])
}

/** Names neither the time nor the system. A twentieth smaller than zlib makes it. */
export const gzip = (data: Buffer): Buffer => Buffer.from(libdeflate.gzip(data, 12).buffer)

const { ZSTD_c_compressionLevel, ZSTD_c_checksumFlag } = zlib.constants

/** Higher levels save less than a hundredth and take minutes. */
export const zstd = (data: Buffer): Promise<Buffer> =>
  promisify(zlib.zstdCompress)(data, {
    params: { [ZSTD_c_compressionLevel]: 12, [ZSTD_c_checksumFlag]: 1 },
    pledgedSrcSize: data.length,
  })

function blocks({ path, data, link, mode, id = 0 }: TarEntry, time: number): Buffer[] {
  const isFolder = data === undefined && link === undefined
  const content = Buffer.from(data ?? '')
  const header = Buffer.alloc(blockSize)
  const [prefix, name] = splitPath(isFolder ? `${path}/` : path)
  const octal = (value: number, at: number, width: number) =>
    header.write(value.toString(8).padStart(width - 1, '0'), at)
  header.write(name)
  octal(mode ?? (isFolder ? 0o755 : link === undefined ? 0o644 : 0o777), 100, 8)
  octal(id, 108, 8)
  octal(id, 116, 8)
  octal(content.length, 124, 12)
  octal(time, 136, 12)
  header.write(' '.repeat(8), 148)
  header.write(isFolder ? '5' : link === undefined ? '0' : '2', 156)
  header.write(link ?? '', 157)
  header.write('ustar\0' + '00', 257)
  header.write(prefix, 345)
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  )
  return [header, content, Buffer.alloc((blockSize - (content.length % blockSize)) % blockSize)]
}

/** A name has 100 bytes, and the folders before it 155. */
function splitPath(path: string): [prefix: string, name: string] {
  if (path.length <= 100) return ['', path]
  const at = path.indexOf('/', path.length - 101)
  if (at < 0 || at > 155) throw new Error(`${path} is too long for a tar file`)
  return [path.slice(0, at), path.slice(at + 1)]
}

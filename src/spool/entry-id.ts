import { hash, randomBytes } from 'node:crypto'

/**
 * `spl_`, the time in milliseconds (9), tags of the server (2) and of the upload (3), a random part (3), and the size in KiB
 * (4), all in base 36. File names alone therefore determine order, size and possible duplicates, without opening files.
 * Older ids have eight random digits and no size.
 */
const pattern = /^spl_[0-9a-z]{9}(?:[0-9a-f]{8}|[0-9a-z]{12})$/
const taggedLength = 'spl_'.length + 9 + 12

export const isEntryId = (text: string) => pattern.test(text)

interface NewId {
  serverUrl: string
  /** Uploads with equal fields are the same. */
  identity: string
  bytes: number
  /** The latest id in the spool; the new one sorts after it, even if the clock was set back. */
  last: string | undefined
}

export function newEntryId({ serverUrl, identity, bytes, last }: NewId) {
  const time = base36(Math.max(Date.now(), last === undefined ? 0 : timeOfId(last) + 1), 9)
  const random = base36(randomBytes(4).readUInt32BE() % 36 ** 3, 3)
  return `spl_${time}${serverTag(serverUrl)}${uploadTag(identity)}${random}${base36(Math.ceil(bytes / 1024), 4)}`
}

/** Milliseconds. */
export const timeOfId = (id: string) => Number.parseInt(id.slice(4, 13), 36)

/** Undefined for an id of an older version. */
export const serverTagOfId = (id: string) => (id.length === taggedLength ? id.slice(13, 15) : undefined)

export const uploadTagOfId = (id: string) => (id.length === taggedLength ? id.slice(15, 18) : undefined)

/** Rounded up to KiB; undefined for an id of an older version. */
export const bytesOfId = (id: string) =>
  id.length === taggedLength ? Number.parseInt(id.slice(21), 36) * 1024 : undefined

/** A short hash of the server's URL. Two servers rarely share it. */
export const serverTag = (url: string) => tag(url, 2)

export const uploadTag = (identity: string) => tag(identity, 3)

const tag = (text: string, length: number) =>
  base36(Number.parseInt(hash('sha256', text, 'hex').slice(0, 12), 16) % 36 ** length, length)

const base36 = (value: number, length: number) => value.toString(36).padStart(length, '0')

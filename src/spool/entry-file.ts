import { hash } from 'node:crypto'
import { isObject, parseJson } from '../util/json.ts'

/** Server and user of an upload, without secrets. */
export interface SpoolServer {
  /** Name of the known server; null for a URL given on the command line. */
  name: string | null
  url: string
  /** Null without a sign-in. */
  user: string | null
  /** Absent unless the caller chose a team. */
  team?: string | undefined
}

/** The parts of an upload that are readable without a key. */
export interface EntryHead {
  server: SpoolServer
  cluster: string | null
  environment: string | null
  /** Unix seconds. */
  created: number
  idempotencyKey: string
  keyId: string
  /** SHA-256 of everything after the head. */
  contentHash: string
}

/** Upper bound for the size of a head. */
export const maxHeadBytes = 16_384

const firstLine = /^relt-spool 1 ([0-9a-f]{64})\n/
const firstLineLength = 'relt-spool 1 '.length + 64 + 1

/** Layout: `relt-spool 1 <hash of the head>`, the head as a line of JSON, the sealed content. */
export function encodeEntry(head: Omit<EntryHead, 'contentHash'>, content: Uint8Array) {
  const whole = { ...head, contentHash: hash('sha256', content, 'hex') }
  const line = Buffer.from(`${JSON.stringify(whole)}\n`)
  if (firstLineLength + line.length > maxHeadBytes) throw new Error('the header of the upload is too long')
  return Buffer.concat([Buffer.from(`relt-spool 1 ${hash('sha256', line, 'hex')}\n`), line, content])
}

/** Parses the head in the first `maxHeadBytes` of a file. Throws if corrupt. */
export function decodeHead(bytes: Uint8Array) {
  const start = Buffer.from(bytes.subarray(0, maxHeadBytes))
  const headHash = firstLine.exec(start.toString('latin1', 0, firstLineLength))?.[1]
  if (headHash === undefined) throw new Error('it has no upload header')
  const end = start.indexOf(0x0a, firstLineLength) + 1
  const line = start.subarray(firstLineLength, end)
  if (hash('sha256', line, 'hex') !== headHash) throw new Error('its header was modified or truncated')
  const head = parseJson(line, 'The head')
  if (!isHead(head)) throw new Error('its header has another version')
  return { head, length: end }
}

/** The sealed content of a whole file. Throws if corrupt. */
export function decodeContent(bytes: Buffer) {
  const { head, length } = decodeHead(bytes)
  const content = bytes.subarray(length)
  if (hash('sha256', content, 'hex') !== head.contentHash) throw new Error('its content was modified or truncated')
  return { head, content }
}

function isHead(value: unknown): value is EntryHead {
  if (!isObject(value) || !isObject(value.server)) return false
  const { server, cluster, environment, created, idempotencyKey, keyId, contentHash } = value
  const texts = [server.url, idempotencyKey, keyId, contentHash]
  const textsOrNull = [server.team ?? null, server.name, server.user, cluster, environment]
  return (
    texts.every((text) => typeof text === 'string') &&
    textsOrNull.every((text) => text === null || typeof text === 'string') &&
    Number.isSafeInteger(created)
  )
}

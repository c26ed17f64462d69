import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { Route } from '../../contract/route.ts'
import { invalidParams, ReltError } from '../../errors.ts'
import type { Request } from '../../service/handler.ts'
import { parseBody, readUpload } from '../../service/upload-body.ts'
import { type HttpContext, ownerFor } from './state.ts'

const megabyte = 1024 * 1024
export const uploadLimit = 100 * megabyte
export const bodyLimit = megabyte

/** Reads the body of a request for `invoke`. A report is extracted as raw text. */
export async function readRequestBody(c: HttpContext, { carriesReport }: Route): Promise<Partial<Request>> {
  if (!carriesReport) return { body: await readJson(c) }
  const { bytes, idempotencyKey } = await readUploadBytes(c)
  return { ...readUpload(bytes), idempotencyKey }
}

/** The raw body of an upload, for a worker: locating the report in a large one is slow. */
export async function readUploadBytes(c: HttpContext) {
  const bytes = await readBytes(c, uploadLimit)
  const key = c.req.header('idempotency-key')?.trim() || undefined
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalidParams({ 'Idempotency-Key': 'up to 255 letters without spaces' })
  }
  return { bytes, idempotencyKey: key }
}

/** A missing body counts as an empty one. */
export async function readJson(c: HttpContext): Promise<unknown> {
  const bytes = await readBytes(c, bodyLimit)
  return bytes.length === 0 ? {} : parseBody(bytes)
}

const formLimit = 65_536

/** The fields of a form; the last of each name counts. Throws `unsupported_media` or `too_large`. */
export async function readForm(c: HttpContext): Promise<Record<string, string>> {
  const bytes = await readBytes(c, formLimit, /^application\/x-www-form-urlencoded\s*(;|$)/i)
  return Object.fromEntries(new URLSearchParams(bytes.toString('utf8')))
}

const jsonType = /^application\/([\w.-]+\+)?json\s*(;|$)/i

async function readBytes(c: HttpContext, limit: number, wantedType = jsonType) {
  const source = c.env?.incoming ?? (c.req.raw.body ? Readable.fromWeb(c.req.raw.body as never) : undefined)
  const encoding = c.req.header('content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new ReltError('unsupported_media', 'The body may be packed with gzip only.')
  }
  if (!source || isEmpty(c)) {
    if (encoding === 'gzip') throw notGzip()
    return Buffer.alloc(0)
  }
  // A page of another origin can send text and forms, but needs a CORS preflight for JSON.
  const type = c.req.header('content-type') ?? ''
  if (!wantedType.test(type.trim())) {
    const wanted = wantedType === jsonType ? 'application/json' : 'application/x-www-form-urlencoded'
    throw new ReltError('unsupported_media', `The body needs the header Content-Type: ${wanted}.`)
  }
  const expected = Number(c.req.header('content-length') ?? 0)
  if (expected > limit) throw tooLarge(limit)
  const state = c.get('state')
  const owner = ownerFor(state)
  const take = (bytes: number) => {
    state.bodyBytes += bytes
    return state.held.take(owner, bytes)
  }
  return encoding === 'gzip' ? unzip(source, limit, take) : collect(source, { limit, expected }, take)
}

const isEmpty = (c: HttpContext) =>
  c.req.header('transfer-encoding') === undefined &&
  (c.req.header('content-length') === '0' || (c.env?.incoming !== undefined && !c.req.header('content-length')))

async function unzip(source: Readable, limit: number, take: Take) {
  const gunzip = createGunzip()
  const whole = collect(gunzip, { limit }, take)
  const onEarlyEnd = () => {
    if (!source.readableEnded) gunzip.destroy(gone())
  }
  source.once('close', onEarlyEnd).once('error', onEarlyEnd).pipe(gunzip)
  try {
    return await whole
  } catch (error) {
    if (error instanceof ReltError) throw error
    throw notGzip(error)
  } finally {
    source.off('close', onEarlyEnd).unpipe(gunzip)
    gunzip.destroy()
  }
}

/** Called with the number of bytes as they arrive; a returned promise means to wait. */
type Take = (bytes: number) => Promise<void> | undefined

/** Keeps the stream open if it is too long, because the answer uses the same connection. */
function collect(stream: Readable, { limit, expected = 0 }: { limit: number; expected?: number }, take: Take) {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const bytes = new GrowingBuffer(expected)
  let isSettled = false
  const onData = (chunk: Buffer) => {
    if (bytes.length + chunk.length > limit) return settle(() => reject(tooLarge(limit)))
    bytes.append(chunk)
    try {
      const room = take(chunk.length)
      if (room) wait(room)
    } catch (error) {
      settle(() => reject(error))
    }
  }
  const wait = (room: Promise<void>) => {
    stream.pause()
    room.then(
      () => !isSettled && stream.resume(),
      (error) => settle(() => reject(error)),
    )
  }
  const onEnd = () => settle(() => resolve(bytes.whole))
  const onClose = () => settle(() => reject(gone()))
  const onError = (error: Error) =>
    settle(() => reject((error as NodeJS.ErrnoException).code === 'ECONNRESET' ? gone() : error))
  const settle = (finish: () => void) => {
    isSettled = true
    stream.off('data', onData).off('end', onEnd).off('close', onClose).pause()
    finish()
  }
  // Keeps the `error` listener: a late error without one would end the process.
  stream.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onError)
  return promise
}

function notGzip(cause?: unknown) {
  return new ReltError('invalid_json', 'The body is not a whole gzip stream.', { cause })
}

/**
 * A buffer that grows, because joining chunks at the end would hold a large body twice. The declared length is only trusted
 * after a good part has arrived.
 */
class GrowingBuffer {
  readonly #expected: number
  #buffer: Buffer
  length = 0

  constructor(expected: number) {
    this.#expected = expected
    this.#buffer = Buffer.allocUnsafeSlow(Math.min(expected || 65_536, megabyte))
  }

  append(chunk: Buffer) {
    const needed = this.length + chunk.length
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#expected, 2 * this.#buffer.length))
      this.#buffer.copy(larger, 0, 0, this.length)
      this.#buffer = larger
    }
    chunk.copy(this.#buffer, this.length)
    this.length = needed
  }

  get whole() {
    return this.#buffer.subarray(0, this.length)
  }
}

function tooLarge(limit: number) {
  return new ReltError(
    'too_large',
    `The body is larger than ${limit < megabyte ? `${limit / 1024} kB` : `${limit / megabyte} MB`}.`,
  )
}

function gone() {
  return new ReltError('cancelled', 'The request ended before its body.')
}

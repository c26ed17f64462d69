import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ReltError } from '../errors.ts'
import { bytesOfId, isEntryId, serverTagOfId, uploadTagOfId } from './entry-id.ts'
import { firstInOrder, namesIn } from './names.ts'

export type EntryState = 'waiting' | 'refused' | 'broken'

/** A draft that is unfinished for this long belongs to a killed process. */
const draftMs = 3_600_000
const leftOver = /\.(upload|attempts)\.[0-9a-f]+$|^lock\./

const uploadEnding = '.upload'
const brokenEnding = '.broken'
/** Maximum ids in memory at once. */
const chunkSize = 2000

/** Names and locations of the spool's files. Opens none of them. */
export class SpoolFolder {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** Ids in chunks, in constant memory. */
  *ids(state: EntryState, isChosen: (id: string) => boolean = () => true) {
    let after = ''
    for (;;) {
      const ids = firstInOrder(this.#idsAfter(after, state, isChosen), chunkSize)
      yield* ids
      if (ids.length < chunkSize) return
      after = ids.at(-1)!
    }
  }

  *#idsAfter(after: string, state: EntryState, isChosen: (id: string) => boolean) {
    const ending = state === 'broken' ? brokenEnding : uploadEnding
    for (const name of this.#names(state === 'refused')) {
      const id = toId(name, ending)
      if (id !== undefined && id > after && isChosen(id)) yield id
    }
  }

  *#names(isRefused: boolean) {
    try {
      yield* namesIn(this.folderFor(isRefused))
    } catch (cause) {
      throw unusable(`The spool in ${this.path} cannot be read: ${(cause as Error).message}.`, { cause })
    }
  }

  /**
   * Number of uploads by state, size of all files, queued uploads with the requested tags, and the latest id. Scans the names
   * once. Opens no file, and reads sizes only for names from an older version.
   */
  survey(like?: { server: string; upload: string }) {
    const found = { waiting: 0, refused: 0, broken: 0, bytes: 0, candidates: [] as string[], last: '' }
    for (const isRefused of [false, true]) {
      for (const name of this.#names(isRefused)) {
        if (leftOver.test(name)) {
          found.bytes += bytesOfDraft(join(this.folderFor(isRefused), name))
          continue
        }
        const id = toId(name, uploadEnding) ?? toId(name, brokenEnding)
        if (id === undefined) continue
        found.bytes += bytesOfId(id) ?? toSize(join(this.folderFor(isRefused), name))
        if (id > found.last) found.last = id
        if (name.endsWith(brokenEnding)) found.broken++
        else if (isRefused) found.refused++
        else {
          found.waiting++
          if (like && serverTagOfId(id) === like.server && uploadTagOfId(id) === like.upload) found.candidates.push(id)
        }
      }
    }
    return { ...found, last: found.last || undefined }
  }

  folderFor(isRefused: boolean) {
    return isRefused ? join(this.path, 'refused') : this.path
  }

  fileFor(id: string, isRefused = false) {
    return join(this.folderFor(isRefused), `${id}${uploadEnding}`)
  }

  toAttempts(id: string, isRefused = false) {
    return join(this.folderFor(isRefused), `${id}.attempts`)
  }

  brokenOf(id: string) {
    return join(this.path, `${id}${brokenEnding}`)
  }
}

function toId(name: string, ending: string) {
  if (!name.endsWith(ending)) return undefined
  const id = name.slice(0, -ending.length)
  return isEntryId(id) ? id : undefined
}

/** Size of a draft; 0 for that of a killed process, which is removed. */
function bytesOfDraft(file: string) {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats) return 0
  if (Date.now() - stats.mtimeMs <= draftMs) return stats.size
  rmSync(file, { force: true })
  return 0
}

const toSize = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0

export function unusable(message: string, details: { hint?: string; cause?: unknown } = {}) {
  return new ReltError('store_unusable', message, details)
}

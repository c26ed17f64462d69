import { hash } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readFileSync,
  renameSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { maxReportBytes } from '../submit/read-report-file.ts'
import { checkInnerFolder, inInnerFolder } from '../util/inner-folder.ts'
import type { UnixSeconds } from '../util/time.ts'

export interface WatchOptions {
  folder: string
  /** Pattern of file names, with `*` and `?`. */
  pattern: string
  /** Files stay in place; otherwise they are moved to `done/` and `refused/`. */
  keep: boolean
  now: () => UnixSeconds
  /** The earlier outcome of a file with this content; undefined for a new one. */
  find: (contentHash: string) => Promise<'done' | 'refused' | undefined>
  /**
   * Submits the file. Returns why the file is permanently rejected, with its name; after an error it stays and is retried.
   */
  submit: (file: { name: string; content: Buffer; contentHash: string }) => Promise<string | undefined>
  /** Called once for each content, before the file is moved. */
  record: (file: {
    name: string
    contentHash: string
    outcome: 'done' | 'refused'
    reason: string | null
  }) => Promise<void>
}

/** A file with incomplete JSON that has not changed for this long is rejected. */
const abandonedSeconds = 600
/** Maximum names remembered by one check. The next checks handle the rest. */
const maxNames = 20_000

/**
 * Takes reports from a folder. A file is taken when two checks found the same size, time and inode and its JSON is complete.
 * This needs no events, which network folders do not have.
 */
export function watchFolder(options: WatchOptions) {
  const { folder, now, find, submit, record, keep } = options
  const pattern = toPattern(options.pattern)
  /** Name → file state at the last check. */
  let known = new Map<string, string>()
  /** With `keep`: name → state of files that need not be read again. */
  const settled = new Map<string, string>()
  return { look }

  /** Checks once. Throws errors of the folder itself. */
  async function look(signal: AbortSignal) {
    const result = {
      taken: 0,
      refused: 0,
      /** Number of matching files not taken yet: new, changing or incomplete. */
      waiting: 0,
      /** Why a file could not be submitted now, which ends the check. */
      error: undefined as Error | undefined,
    }
    const seen = new Map<string, string>()
    // Creates the target folders first: a file that cannot be moved must not be submitted.
    if (!keep) for (const outcome of ['done', 'refused']) checkInnerFolder(folder, outcome)
    for (const name of names()) {
      if (signal.aborted) break
      const stats = lstatSync(join(folder, name), { throwIfNoEntry: false })
      if (!stats || stats.isDirectory()) continue
      const state = toState(stats)
      if (settled.get(name) === state) continue
      if (known.get(name) !== state && !stats.isSymbolicLink()) {
        seen.set(name, state)
        result.waiting++
        continue
      }
      seen.set(name, state)
      try {
        const outcome = await take(name, stats)
        if (outcome === 'waiting') result.waiting++
        else {
          result[outcome]++
          seen.delete(name)
          if (keep) settled.set(name, state)
        }
      } catch (error) {
        result.error = error as Error
        result.waiting++
        break
      }
    }
    known = seen
    return result
  }

  function* names() {
    const names: string[] = []
    const opened = opendirSync(folder)
    try {
      for (let entry = opened.readSync(); entry && names.length < maxNames; entry = opened.readSync()) {
        if (pattern.test(entry.name)) names.push(entry.name)
      }
    } finally {
      opened.closeSync()
    }
    yield* names.sort()
  }

  async function take(name: string, stats: Stats) {
    const obstacle = obstacleFor(stats)
    let reason = obstacle && `${name}: ${obstacle}`
    // A file that is not read is identified by its size and times.
    let contentHash = toHash(`${name} ${toState(stats)}`)
    if (reason === undefined) {
      const content = readWhole(join(folder, name), stats)
      if (content === undefined) return 'waiting'
      contentHash = toHash(content)
      const earlier = await find(contentHash)
      if (earlier !== undefined && keep) return earlier === 'done' ? 'taken' : 'refused'
      if (earlier === 'refused') reason = `${name}: A file of the same content was refused before.`
      else if (!hasEnd(content)) {
        if (now() - stats.mtimeMs / 1000 < abandonedSeconds) return 'waiting'
        reason = `${name}: It ends in the middle.`
      } else if (earlier === undefined) reason = await submit({ name, content, contentHash })
    }
    const outcome = reason === undefined ? 'done' : 'refused'
    await record({ name, contentHash, outcome, reason: reason ?? null })
    if (!keep) moveTo(outcome, name, reason)
    return outcome === 'done' ? 'taken' : 'refused'
  }

  /** Another agent on the folder may have moved it in the meantime. */
  function moveTo(outcome: 'done' | 'refused', name: string, reason: string | undefined) {
    inInnerFolder(folder, outcome, (inner) => {
      const target = freeName(inner, name)
      try {
        renameSync(join(folder, name), join(inner, target))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
        throw error
      }
      if (reason !== undefined)
        writeFileSync(join(inner, `${target}.reason.txt`), `${reason}\n`, { flag: 'wx', mode: 0o600 })
    })
  }
}

const toState = ({ size, mtimeMs, ino, dev }: Stats) => `${size} ${mtimeMs} ${ino} ${dev}`

const toHash = (content: string | Buffer) => hash('sha256', content)

/** Why the file is rejected without reading it. */
function obstacleFor(stats: Stats): string | undefined {
  if (stats.isSymbolicLink()) return 'Links are not followed.'
  if (!stats.isFile()) return 'It is not a regular file.'
  return stats.size > maxReportBytes ? `It is larger than ${maxReportBytes / 1024 / 1024} MB.` : undefined
}

/** The content of the file that was checked; undefined if it has changed since. */
function readWhole(path: string, expected: Stats): Buffer | undefined {
  let handle: number
  try {
    handle = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    if (['ENOENT', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
  try {
    if (toState(fstatSync(handle)) !== toState(expected)) return undefined
    const content = readFileSync(handle)
    return toState(fstatSync(handle)) === toState(expected) && content.length === expected.size ? content : undefined
  } finally {
    closeSync(handle)
  }
}

/** Whether the text ends like JSON; a gzip file is checked when decompressed. */
function hasEnd(content: Buffer) {
  if (content[0] === 0x1f && content[1] === 0x8b) return true
  let last = content.length - 1
  while (last >= 0 && [0x20, 0x09, 0x0a, 0x0d].includes(content[last]!)) last--
  return content[last] === 0x7d || content[last] === 0x5d
}

function toPattern(pattern: string) {
  const source = pattern
    .replace(/[\\^$.+()|[\]{}]/g, String.raw`\$&`)
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]')
  return new RegExp(`^${source}$`)
}

/** `name`, or `name` with a number before its extension if it exists. */
function freeName(folder: string, name: string) {
  const isTaken = (each: string) => lstatSync(join(folder, each), { throwIfNoEntry: false }) !== undefined
  if (!isTaken(name)) return name
  const [, stem = name, ending = ''] = /^(.+?)(\.[^.]*)?$/.exec(name) ?? []
  for (let number = 2; ; number++) if (!isTaken(`${stem}.${number}${ending}`)) return `${stem}.${number}${ending}`
}

import { join } from 'node:path'
import { writePrivateFile } from '../../config/private-file.ts'
import { isObject } from '../../util/json.ts'
import { readOwnFile } from '../../util/own-file.ts'

/**
 * When sources were checked that had nothing new. The times are in a file beside the store: a check that finds nothing
 * new does not write to the database. Losing the file only changes the order of the next sync.
 */
export interface SyncTimes {
  /** Unix seconds; 0 for none. */
  at(slug: string, kind: string): number
  note(sources: { slug: string; kind: string }[], now: number): void
}

/** `folder` is that of the store. */
export function openSyncTimes(folder: string): SyncTimes {
  const file = join(folder, 'looked.json')
  const known = read(file)
  return {
    at: (slug, kind) => known.get(`${slug} ${kind}`) ?? 0,
    note(sources, now) {
      if (sources.length === 0) return
      // Another process may have noted something meanwhile.
      const all = new Map([...read(file), ...sources.map(({ slug, kind }) => [`${slug} ${kind}`, now] as const)])
      writePrivateFile(file, JSON.stringify(Object.fromEntries([...all].toSorted())))
    },
  }
}

function read(file: string): Map<string, number> {
  try {
    const notes: unknown = JSON.parse(readOwnFile(file).toString('utf8'))
    const times = Object.entries(isObject(notes) ? notes : {})
    return new Map(times.filter((one): one is [string, number] => Number.isSafeInteger(one[1])))
  } catch {
    return new Map()
  }
}

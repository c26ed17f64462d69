import { join } from 'node:path'
import { writePrivateFile } from '../../config/private-file.ts'
import { isObject } from '../../util/json.ts'
import { readOwnFile } from '../../util/own-file.ts'

/**
 * Last check of each source without changes. The times are in a file beside the store, so that a check without changes does
 * not write to the database. Losing the file only changes the order of the next sync.
 */
export interface SyncTimes {
  /** Unix seconds; 0 if never. */
  at(slug: string, kind: string): number
  note(sources: { slug: string; kind: string }[], now: number): void
}

/** `folder` is the store's folder. */
export function openSyncTimes(folder: string): SyncTimes {
  const file = join(folder, 'looked.json')
  const known = read(file)
  return {
    at: (slug, kind) => known.get(`${slug} ${kind}`) ?? 0,
    note(sources, now) {
      if (sources.length === 0) return
      // Another process may have saved times in the meantime.
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

import { join } from 'node:path'
import { type CachedLookup, goodForSeconds } from '../../../collectors/oci/lookup-cache.ts'
import { cacheFolder, type Env } from '../../../config/env.ts'
import { makeFolder } from '../../../util/make-folder.ts'
import { readOwnFile } from '../../../util/own-file.ts'
import { replaceFile } from '../../../util/replace-file.ts'

const maxBytes = 32 * 1024 * 1024

/** Caches answers of registries between commands. Ignores read and write errors. */
export async function openLookupFile(env: Env, now: number) {
  const folder = cacheFolder(env)
  const file = join(folder, 'registry-lookups.json')
  const kept = readKeptText(file)
  const cache = new Map(readKept(kept).filter(([, { at }]) => at > now - goodForSeconds && at <= now))
  return {
    cache,
    save: async () => {
      const text = JSON.stringify([...cache])
      if (text === kept || text.length > maxBytes) return
      try {
        makeFolder(folder)
        replaceFile(file, text)
      } catch {
        // The registries are queried again next time.
      }
    },
  }
}

function readKeptText(file: string) {
  try {
    return readOwnFile(file).toString('utf8')
  } catch {
    return '[]'
  }
}

function readKept(text: string) {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.filter(isEntry) : []
  } catch {
    return []
  }
}

function isEntry(value: unknown): value is [string, CachedLookup] {
  if (!Array.isArray(value) || typeof value[0] !== 'string') return false
  const { at, value: found } = value[1] ?? {}
  return Number.isInteger(at) && Array.isArray(found) && found.every((text) => typeof text === 'string')
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { goodForSeconds, type Kept, type LookupCache } from '../../../collectors/oci/lookup-cache.ts'
import { cacheFolder, type Env } from '../../../config/env.ts'
import { makeFolder } from '../../../util/make-folder.ts'
import { replaceFile } from '../../../util/replace-file.ts'

const maxBytes = 32 * 1024 * 1024

/** What registries answered to earlier commands. A file that cannot be read is none; one that cannot be written, neither. */
export async function openLookupFile(
  env: Env,
  now: number,
): Promise<{ cache: LookupCache; save: () => Promise<void> }> {
  const folder = cacheFolder(env)
  const file = join(folder, 'registry-lookups.json')
  const kept = await readFile(file, 'utf8').catch(() => '[]')
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
        // The registries are asked again next time.
      }
    },
  }
}

function readKept(text: string): [string, Kept][] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.filter(isEntry) : []
  } catch {
    return []
  }
}

function isEntry(value: unknown): value is [string, Kept] {
  if (!Array.isArray(value) || typeof value[0] !== 'string') return false
  const { at, value: found } = value[1] ?? {}
  return Number.isInteger(at) && Array.isArray(found) && found.every((text) => typeof text === 'string')
}

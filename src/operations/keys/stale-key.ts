import { StaleKeyError } from './stale-key-error.ts'
import type { Unlock } from './vault.ts'

/** Repeats the work with the current data keys if another process re-encrypted the store during the first attempt. */
export async function withCurrentKeys<T>(unlock: Unlock, work: () => Promise<T>) {
  try {
    return await work()
  } catch (error) {
    if (!isStale(error)) throw error
    await (await unlock()).reload()
    return work()
  }
}

/** Triggers of the store reject data sealed with a retired key. */
const isStale = (error: unknown) =>
  error instanceof StaleKeyError || (error instanceof Error && error.message.includes('retired data key'))

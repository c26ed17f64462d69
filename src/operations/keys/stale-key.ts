import { StaleKeyError } from './stale-key-error.ts'
import type { Vault } from './vault.ts'

/** Runs work again with the current data keys when another process re-encrypted the store during the first attempt. */
export async function withCurrentKeys<T>(unlock: () => Promise<Vault>, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isStale(error)) throw error
    await (await unlock()).reload()
    return work()
  }
}

/** The triggers of the store refuse what was sealed with a retired key. */
const isStale = (error: unknown): boolean =>
  error instanceof StaleKeyError || (error instanceof Error && error.message.includes('retired data key'))

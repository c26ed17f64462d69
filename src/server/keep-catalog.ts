import type { CatalogSettings } from '../config/catalog.ts'
import type { Env } from '../config/env.ts'
import type { LookedForReleases } from '../services/look-for-releases.ts'
import type { Service } from '../services/service.ts'
import type { Logger } from './http/log.ts'

interface Keeping {
  settings: CatalogSettings
  env: Env
  /** Of the store. */
  folder: string
}

const hourMs = 3_600_000
const concurrency = 4

/**
 * Looks for releases soon after the start and then every so many hours, or not at all; returns what ends it. A failure is
 * logged and tried again the next time.
 */
export function keepCatalog(service: Service, keeping: Keeping, logger: Logger): () => Promise<unknown> {
  const { syncHours } = keeping.settings
  if (syncHours === 0) return async () => {}
  const ending = new AbortController()
  async function look(): Promise<void> {
    try {
      const { lookForReleases } = await import('../services/look-for-releases.ts')
      const wish = { projects: [], isDry: false, concurrency, signal: ending.signal }
      logger.info(countsOf(await lookForReleases(service, { ...keeping, ...wish })), 'looked for releases')
    } catch (error) {
      if (!ending.signal.aborted) logger.error({ err: error }, 'looking for releases failed')
    }
  }
  let running: Promise<void> | undefined
  // One that takes longer than the pause is not begun a second time.
  const begin = () => {
    running ??= look().finally(() => {
      running = undefined
    })
  }
  begin()
  const timer = setInterval(begin, syncHours * hourMs)
  return async () => {
    clearInterval(timer)
    ending.abort()
    await running
  }
}

function countsOf({ looked, total, advisories }: LookedForReleases) {
  const outcomes: Record<string, number> = {}
  let [added, updated] = [0, 0]
  for (const one of looked) {
    outcomes[one.outcome] = (outcomes[one.outcome] ?? 0) + 1
    added += one.added
    updated += one.updated
  }
  return { total, outcomes, added, updated, advisories }
}

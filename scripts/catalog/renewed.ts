import type { BundledHistory } from '../../src/catalog/bundled.ts'
import { daySeconds, formatDay, lastDay, parseTimestamp } from '../../src/util/time.ts'
import type { CatalogSource } from './source.ts'

/** A source has to renew what is known of a project within this many days of the catalog's day. */
const mostDays = 180

/** Projects that no source renews without a word why, and those with a word that is no longer true. */
export function unrenewed(
  { projects }: CatalogSource,
  history: Partial<Record<string, BundledHistory>>,
  catalogDay: string,
): string[] {
  const oldest = formatDay(parseTimestamp(catalogDay)! - mostDays * daySeconds)
  return [...projects].flatMap(([slug, { retired = [], not_renewed: reason }]) => {
    const { known_until = null, charts = {} } = history[slug] ?? {}
    const last = lastDay(known_until, ...Object.values(charts).map((chart) => chart.known_until))
    const isRenewed = last !== undefined && last >= oldest
    const isEnded = retired.some(({ line, chart }) => line === undefined && chart === undefined)
    if (isRenewed && reason) return [`${slug} is renewed again, by ${last}: remove not_renewed`]
    if (isRenewed || isEnded || reason) return []
    return [`${slug} is known until ${last ?? 'no day'}: name a source that renews it, or say why not in not_renewed`]
  })
}

import type { Eol } from '../contract/cluster-report.ts'
import { bundledCycles } from './bundled.ts'
import { type Cycle, endOfLifeAmong } from './cycle.ts'

/** Of a project's version: by the cycles that were fetched, else by the bundled ones. `today` is `YYYY-MM-DD`. */
export function endOfLifeOf(
  slug: string,
  segments: readonly string[],
  { fetched, today }: { fetched: readonly Cycle[]; today: string },
): Eol | undefined {
  return endOfLifeAmong(fetched, segments, today) ?? endOfLifeAmong(bundledCycles(slug, today), segments, today)
}

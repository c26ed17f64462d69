import * as z from 'zod/mini'
import { cyclePattern } from '../../contract/catalog.ts'
import type { Cycle } from '../../lifecycle/cycle.ts'

const day = z.iso.date()
const mostReleases = 1000
const name = z.string().check(z.maxLength(100))

const Release = z.object({
  name,
  isEol: z.nullish(z.boolean()),
  eolFrom: z.nullish(day),
  eoesFrom: z.nullish(day),
  isLts: z.nullish(z.boolean()),
  ltsFrom: z.nullish(day),
  latest: z.nullish(z.object({ name: z.nullish(name) })),
})

/**
 * The parts of https://endoflife.date/docs/api, `/products/{product}`, that relt reads, without cycles whose name is a word
 * or whose end is not known.
 */
export const Product = z.pipe(
  z.object({
    result: z.object({ releases: z.array(Release).check(z.minLength(1), z.maxLength(mostReleases)) }),
  }),
  z.transform(({ result }) =>
    result.releases.flatMap(({ name: cycle, isEol, eolFrom, eoesFrom, isLts, ltsFrom, latest }): Cycle[] => {
      const eol = eolFrom ?? isEol
      if (eol == null || !cyclePattern.test(cycle)) return []
      const more = { ...(latest?.name && { latest: latest.name }), ...(eoesFrom && { extended: eoesFrom }) }
      return [{ cycle, eol, lts: ltsFrom ?? isLts ?? false, ...more }]
    }),
  ),
)

import * as z from 'zod/mini'
import { cyclePattern } from '../../contract/catalog.ts'
import type { Cycle } from '../../lifecycle/cycle.ts'

/** The parts of https://endoflife.date/docs/api that relt reads, and of the older API, which mirrors have. */

const day = z.iso.date()
const mostReleases = 1000
const name = z.string().check(z.maxLength(100))

const Release = z.object({
  name,
  isEol: z.nullish(z.boolean()),
  eolFrom: z.nullish(day),
  isLts: z.nullish(z.boolean()),
  ltsFrom: z.nullish(day),
  latest: z.nullish(z.object({ name: z.nullish(name) })),
})

const OlderRelease = z.object({
  /** A number may have lost a trailing zero, unless it is an integer. */
  cycle: z.union([name, z.int()]),
  eol: z.optional(z.union([day, z.boolean()])),
  lts: z.nullish(z.union([day, z.boolean()])),
  latest: z.nullish(z.union([name, z.number()])),
})

const toList = <T extends z.ZodMiniType>(shape: T) => z.array(shape).check(z.minLength(1), z.maxLength(mostReleases))

/** Answer of `/api/v1/products/{product}`. */
export const Product = z.pipe(
  z.object({ result: z.object({ releases: toList(Release) }) }),
  z.transform(({ result }) =>
    result.releases.flatMap(({ name, isEol, eolFrom, isLts, ltsFrom, latest }) =>
      cycleFor(name, eolFrom ?? isEol, ltsFrom ?? isLts, latest?.name),
    ),
  ),
)

/** Answer of `/api/{product}.json`. */
export const OlderProduct = z.pipe(
  toList(OlderRelease),
  z.transform((releases) =>
    releases.flatMap(({ cycle, eol, lts, latest }) =>
      // A version without a second dot was a number, and may have lost a zero.
      cycleFor(String(cycle), eol, lts, typeof latest === 'string' ? latest : undefined),
    ),
  ),
)

/** Undefined for a cycle whose name is a word, and for a cycle without a known end. */
function cycleFor(
  cycle: string,
  eol: Cycle['eol'] | null | undefined,
  lts: Cycle['lts'] | null | undefined,
  latest: string | null | undefined,
): Cycle[] {
  if (eol == null || !cyclePattern.test(cycle)) return []
  return [{ cycle, eol, lts: lts ?? false, ...(latest && { latest }) }]
}

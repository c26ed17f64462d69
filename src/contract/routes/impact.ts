import * as z from 'zod/mini'
import { Impact } from '../impact.ts'
import { anyAdvisoryId, inner, spaced } from '../patterns.ts'
import { toRoutes } from '../route.ts'
import { clusterChoice, documented, text, whole } from '../shape.ts'

const id = z.optional(whole({ min: 1, max: Number.MAX_SAFE_INTEGER }))

/** Advisories that were published within this many days. */
const days = z.optional(whole({ min: 1, max: 365 }))

const advisory = documented(text(100), {
  type: 'string',
  maxLength: 100,
  pattern: spaced(`(${inner(anyAdvisoryId)})?`),
})

export const impactRoutes = toRoutes({
  /** At most one question; without one, artifacts that lack a security fix. Without `per_page`, the answer has all items. */
  getImpact: {
    method: 'GET',
    path: '/impact',
    largeAnswer: true,
    summary: 'List workloads affected by a release or an advisory',
    atMostOne: {
      parameters: ['release_id', 'cve', 'new_days'],
      rule:
        'Give at most one of `release_id`, `cve` and `new_days`; a request with more is refused with 400. ' +
        'Without any, the answer covers every security fix.',
    },
    role: 'viewer',
    heavy: true,
    query: z.object({
      release_id: id,
      cve: z.optional(advisory),
      new_days: days,
      ...clusterChoice,
      page: z.optional(whole({ min: 1, max: 1_000_000 })),
      per_page: z.optional(whole({ min: 1, max: 1000 })),
    }),
    answer: Impact,
    audit: 'impact.read',
    extension: true,
  },
})

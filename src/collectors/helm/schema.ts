import * as z from 'zod/mini'
import { parseTimestamp } from '../../util/time.ts'

/** The fields of an entry that relt reads. Except for the version, a field of another type counts as absent. */

const words = z.union([
  z.string(),
  z.pipe(
    z.union([z.number(), z.boolean()]),
    z.transform((value) => String(value)),
  ),
])

export const maybe = <T extends z.ZodMiniType>(shape: T) => z.catch(z.optional(shape), undefined)

/** https://helm.sh/docs/topics/chart_repository/#the-index-file */
export const IndexEntry = z.object({
  version: z.string().check(z.minLength(1), z.maxLength(200)),
  appVersion: maybe(words.check(z.maxLength(200))),
  kubeVersion: maybe(z.string().check(z.maxLength(512))),
  created: maybe(
    z.pipe(
      z.string(),
      z.transform((text) => parseTimestamp(text)),
    ),
  ),
  urls: maybe(z.array(z.string())),
  deprecated: maybe(words),
  annotations: maybe(z.record(z.string(), z.unknown())),
})
export type IndexEntry = z.infer<typeof IndexEntry>

/** https://artifacthub.io/docs/topics/annotations/helm/#supported-annotations */
export const Annotations = z.object({
  'artifacthub.io/changes': maybe(z.string()),
  'artifacthub.io/containsSecurityUpdates': maybe(words),
  'artifacthub.io/links': maybe(z.string()),
  'artifacthub.io/prerelease': maybe(words),
})

const Link = z.object({ name: maybe(z.string()), url: z.string() })

export const Links = z.array(Link)

/** Both allowed forms: texts, or texts with their kind. */
export const Changes = z.array(
  z.union([
    z.pipe(
      z.string(),
      z.transform((description) => ({ kind: undefined, description, links: undefined })),
    ),
    z.object({ kind: maybe(z.string()), description: z.string(), links: maybe(Links) }),
  ]),
)
export type ChartChange = z.infer<typeof Changes>[number]

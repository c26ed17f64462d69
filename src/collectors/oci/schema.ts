import * as z from 'zod/mini'
import { IndexEntry, maybe } from '../helm/schema.ts'

/** The parts of https://github.com/opencontainers/distribution-spec/blob/main/spec.md that relt reads. */

const tag = /^\w[\w.-]{0,127}$/

export const TagList = z.pipe(
  z.object({ tags: z.nullish(z.array(z.string())) }),
  z.transform(({ tags }) => (tags ?? []).filter((text) => tag.test(text))),
)

const Descriptor = z.object({
  mediaType: z.string(),
  digest: z.string().check(z.regex(/^sha256:[0-9a-f]{64}$/)),
  size: z.number(),
})
export type Descriptor = z.infer<typeof Descriptor>

/** An image, a chart or another artifact, or the list of an image's platforms. */
export const OciManifest = z.object({
  config: z.optional(Descriptor),
  manifests: z.optional(z.array(Descriptor)),
  layers: z.optional(z.array(Descriptor)),
  annotations: IndexEntry.shape.annotations,
})
export type OciManifest = z.infer<typeof OciManifest>

/** Configuration of an image. */
export const ImageConfig = z.object({ created: z.optional(z.string()) })

/** Configuration of a chart: its `Chart.yaml`. */
export const ChartConfig = z.extend(IndexEntry, { version: maybe(IndexEntry.shape.version) })

const secretText = z.string().check(z.regex(/^[\x21-\x7e]{1,16384}$/))

/** https://distribution.github.io/distribution/spec/auth/token/ */
export const TokenAnswer = z.object({ token: z.optional(secretText), access_token: z.optional(secretText) })

/** `~/.docker/config.json` */
export const DockerConfig = z.object({
  auths: z._default(
    z.record(
      z.string(),
      z.object({
        auth: z.optional(z.string()),
        username: z.optional(z.string()),
        password: z.optional(z.string()),
        identitytoken: z.optional(z.string()),
      }),
    ),
    {},
  ),
  credHelpers: z._default(z.record(z.string(), z.string()), {}),
  credsStore: z.optional(z.string()),
})
export type DockerConfig = z.infer<typeof DockerConfig>

export const HelperAnswer = z.object({ Username: z.string(), Secret: z.string() })

import * as z from 'zod/mini'

/** The parts of https://github.com/opencontainers/distribution-spec/blob/main/spec.md that relt reads. */

const tag = z.string().check(z.regex(/^\w[\w.-]{0,127}$/))

export const TagList = z.object({ tags: z.nullish(z.array(z.string())) })
export const isTag = (text: string) => tag.safeParse(text).success

const Annotations = z.catch(z.optional(z.record(z.string(), z.unknown())), undefined)

const Descriptor = z.object({
  mediaType: z.string(),
  digest: z.string().check(z.regex(/^sha256:[0-9a-f]{64}$/)),
  size: z.number(),
})

/** An image, a chart, or the list of an image's platforms. */
export const OciManifest = z.object({
  config: z.optional(Descriptor),
  manifests: z.optional(z.array(Descriptor)),
  annotations: Annotations,
})
export type OciManifest = z.infer<typeof OciManifest>

/** Configuration of an image. */
export const ImageConfig = z.object({ created: z.optional(z.string()) })

/** Configuration of a chart: its `Chart.yaml`. */
export const ChartConfig = z.object({
  version: z.optional(z.string().check(z.maxLength(200))),
  appVersion: z.catch(z.optional(z.string().check(z.maxLength(200))), undefined),
  kubeVersion: z.catch(z.optional(z.string().check(z.maxLength(512))), undefined),
  deprecated: z.catch(z.optional(z.boolean()), undefined),
  annotations: Annotations,
})

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

export type ChartConfig = z.infer<typeof ChartConfig>

export const HelperAnswer = z.object({ Username: z.string(), Secret: z.string() })

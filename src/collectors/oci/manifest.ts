import { hash } from 'node:crypto'
import type * as z from 'zod/mini'
import { daySeconds, parseTimestamp } from '../../util/time.ts'
import { toHeader } from '../http/answer.ts'
import { parseJson } from '../parse-json.ts'
import { type RepositoryClient, unreadable } from './registry.ts'
import { ChartConfig, type Descriptor, ImageConfig, OciManifest } from './schema.ts'

/** All functions throw `RegistryFailure`. */

const types = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
]
const chartType = 'application/vnd.cncf.helm.config.v1+json'
const blobTypes = ['application/octet-stream', 'application/json', chartType, ...types]
const maxManifest = 4 * 1024 * 1024
const maxBlob = 1024 * 1024

/** Reads a manifest by tag or digest. */
export async function readManifest(repository: RepositoryClient, reference: string) {
  const { body, headers } = await repository.ask(`manifests/${reference}`, { types, maxBytes: maxManifest })
  const manifest = parseJson(body, OciManifest)
  if (!manifest) throw unreadable(repository, 'no manifest')
  return { manifest, digest: toHeader(headers, digestHeader) ?? toDigest(body) }
}

/** Like `readManifest`, with a HEAD request, which does not count towards pull limits. */
export async function readDigest(repository: RepositoryClient, reference: string) {
  const { headers } = await repository.ask(`manifests/${reference}`, { method: 'HEAD', types, maxBytes: maxManifest })
  return toHeader(headers, digestHeader) ?? (await readManifest(repository, reference)).digest
}

const digestHeader = 'docker-content-digest'

/** Undefined if it is not a chart. */
export async function readChart(repository: RepositoryClient, { config }: OciManifest) {
  return config?.mediaType === chartType ? readConfig(repository, config, ChartConfig) : undefined
}

/** Creation time of an image from its annotations or else its configuration, unix seconds; of the first of its platforms. */
export async function readImageTime(repository: RepositoryClient, image: OciManifest) {
  const [platform] = image.config || createdIn(image) !== undefined ? [] : (image.manifests ?? [])
  const manifest = platform ? (await readManifest(repository, platform.digest)).manifest : image
  const { config } = manifest
  return createdIn(manifest) ?? (config && toTime((await readConfig(repository, config, ImageConfig))?.created))
}

/** Unix seconds. */
export function createdIn({ annotations }: OciManifest) {
  return toTime(annotations?.['org.opencontainers.image.created'])
}

/** Reproducible builds use 1970, or year 1. */
function toTime(text: unknown) {
  const seconds = typeof text === 'string' ? parseTimestamp(text) : undefined
  return seconds !== undefined && seconds > daySeconds * 365 ? seconds : undefined
}

async function readConfig<T extends z.ZodMiniType>(repository: RepositoryClient, descriptor: Descriptor, shape: T) {
  if (descriptor.size > maxBlob) return undefined
  return parseJson(await readBlob(repository, descriptor, maxBlob), shape)
}

/** Reads a blob, and checks its digest. */
export async function readBlob(repository: RepositoryClient, { digest, mediaType }: Descriptor, maxBytes: number) {
  const { body } = await repository.ask(`blobs/${digest}`, { types: [...blobTypes, mediaType], maxBytes })
  if (toDigest(body) !== digest) throw unreadable(repository, 'another blob than the one that was asked for')
  return body
}

function toDigest(bytes: Buffer) {
  return `sha256:${hash('sha256', bytes)}`
}

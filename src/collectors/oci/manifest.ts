import { hash } from 'node:crypto'
import type * as z from 'zod/mini'
import { daySeconds, parseTimestamp } from '../../util/time.ts'
import { type HttpAnswer, toHeader } from '../http/answer.ts'
import { parseJson } from '../parse-json.ts'
import type { RepositoryClient } from './registry.ts'
import { ChartConfig, ImageConfig, OciManifest } from './schema.ts'

export type ReadResult<T> = { kind: 'ok'; value: T } | Exclude<HttpAnswer, { kind: 'ok' }>

const types = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
]
const blobTypes = ['application/octet-stream', 'application/json', 'application/vnd.cncf.helm.config.v1+json', ...types]
const maxManifest = 4 * 1024 * 1024
const maxBlob = 1024 * 1024
const chartType = 'application/vnd.cncf.helm.config.v1+json'

/** Reads a manifest by tag or digest. */
export async function readManifest(
  repository: RepositoryClient,
  reference: string,
): Promise<ReadResult<{ manifest: OciManifest; digest: string }>> {
  const answer = await repository.ask(`manifests/${reference}`, { types, maxBytes: maxManifest })
  if (answer.kind !== 'ok') return answer
  const manifest = parseJson(answer.body, OciManifest)
  if (!manifest) return { kind: 'unreachable', reason: `${repository.host} answered no manifest` }
  const digest = toHeader(answer.headers, 'docker-content-digest')
  return { kind: 'ok', value: { manifest, digest: digest ?? toDigest(answer.body) } }
}

/** Like `readManifest`, with a HEAD request, which does not count towards pull limits. */
export async function readDigest(repository: RepositoryClient, reference: string): Promise<ReadResult<string>> {
  const asking = { method: 'HEAD', types, maxBytes: maxManifest } as const
  const answer = await repository.ask(`manifests/${reference}`, asking)
  if (answer.kind !== 'ok') return answer
  const digest = toHeader(answer.headers, 'docker-content-digest')
  if (digest !== undefined) return { kind: 'ok', value: digest }
  const read = await readManifest(repository, reference)
  return read.kind === 'ok' ? { kind: 'ok', value: read.value.digest } : read
}

/** Undefined if it is not a chart. */
export async function readChart(
  repository: RepositoryClient,
  manifest: OciManifest,
): Promise<ReadResult<ChartConfig | undefined>> {
  if (manifest.config?.mediaType !== chartType) return { kind: 'ok', value: undefined }
  return readBlob(repository, manifest.config, ChartConfig)
}

/** Creation time of an image from its configuration, unix seconds; of the first platform if there are several. */
export async function readImageTime(
  repository: RepositoryClient,
  manifest: OciManifest,
): Promise<ReadResult<number | undefined>> {
  const [platform] = manifest.manifests ?? []
  if (platform && !manifest.config) {
    const read = await readManifest(repository, platform.digest)
    if (read.kind !== 'ok') return read
    const created = createdIn(read.value.manifest)
    if (created !== undefined || read.value.manifest.manifests) return { kind: 'ok', value: created }
    return readImageTime(repository, read.value.manifest)
  }
  if (!manifest.config) return { kind: 'ok', value: undefined }
  const read = await readBlob(repository, manifest.config, ImageConfig)
  return read.kind === 'ok' ? { kind: 'ok', value: timeOf(read.value?.created) } : read
}

/** Unix seconds. */
export function createdIn({ annotations }: OciManifest) {
  return timeOf(annotations?.['org.opencontainers.image.created'])
}

/** Reproducible builds use 1970, or year 1. */
function timeOf(text: unknown) {
  const seconds = typeof text === 'string' ? parseTimestamp(text) : undefined
  return seconds !== undefined && seconds > daySeconds * 365 ? seconds : undefined
}

async function readBlob<T extends z.ZodMiniType>(
  repository: RepositoryClient,
  { digest, size }: { digest: string; size: number },
  shape: T,
): Promise<ReadResult<z.output<T> | undefined>> {
  if (size > maxBlob) return { kind: 'ok', value: undefined }
  const answer = await repository.ask(`blobs/${digest}`, { types: blobTypes, maxBytes: maxBlob })
  if (answer.kind !== 'ok') return answer
  if (toDigest(answer.body) !== digest) {
    return { kind: 'unreachable', reason: `${repository.host} answered another blob than the one that was asked for` }
  }
  return { kind: 'ok', value: parseJson(answer.body, shape) }
}

function toDigest(bytes: Buffer) {
  return `sha256:${hash('sha256', bytes)}`
}

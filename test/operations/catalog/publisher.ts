import { generateKeyPairSync, hash } from 'node:crypto'
import { builtInBundle } from '../../../scripts/catalog/bundle.ts'
import { bundledCatalogTime } from '../../../src/catalog/date.ts'
import type { FiledBundle } from '../../../src/contract/catalog.ts'
import { packFile } from '../../../src/operations/catalog/file.ts'
import { toSigningKey } from '../../../src/operations/catalog/signature.ts'
import { formatDay } from '../../../src/util/time.ts'
import { openLocalServer } from '../../collectors/local-server.ts'
import { day, now } from '../service.ts'

/** Later than the bundle that is built into relt. */
export const [dayBefore, laterDay] = [7, 8].map((days) => formatDay(bundledCatalogTime + days * day)) as [
  string,
  string,
]

export const newKey = () => toSigningKey(generateKeyPairSync('ed25519').privateKey)

type Files = Record<string, unknown>

/** Those that `addFacts` changes. */
interface ChangedFiles {
  releases: Record<string, { app: unknown[] }>
  derived: Record<string, { latest: unknown }>
  retired: unknown[]
  compatibility: { slug: string; kubernetes_max: string | null }[]
  offerings: Record<string, { cycles: unknown[] }>
}

/** The bundle that is built into relt, as a publisher publishes it some days later. */
export function laterBundle(change: (files: Files) => void = () => {}, about: Partial<FiledBundle> = {}): FiledBundle {
  const bundle = structuredClone({ ...builtInBundle(), date: laterDay, edition: 1, ...about })
  change(bundle.files)
  return bundle
}

/** Facts that no bundle of relt has: a release, a retired project, a range, an end of support. */
export function addFacts(all: Files): void {
  const files = all as unknown as ChangedFiles
  const as_of = laterDay
  const source = 'https://example.com/facts'
  files.releases['argo-cd']!.app.unshift(['v99.0.0', as_of])
  files.derived['argo-cd']!.latest = ['v99.0.0', as_of]
  const what = 'Another project replaces it.'
  files.retired.push({
    slug: 'keda',
    name: 'KEDA',
    state: 'retired',
    since: as_of,
    what,
    successors: [],
    source,
    as_of,
  })
  for (const row of files.compatibility) if (row.slug === 'rancher') row.kubernetes_max = '1.34'
  files.offerings.eks!.cycles.unshift(['1.60', '2030-01-31'])
}

export const signed = (bundle: FiledBundle, key = newKey()): Promise<Buffer> => packFile({ bundle }, now, key)

/** Publishes a file at a web address, with an `ETag`. */
export async function publish(file: Uint8Array) {
  const published = { file }
  const server = await openLocalServer(({ headers }, response) => {
    const etag = `"${hash('sha256', published.file)}"`
    if (headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
    response.writeHead(200, { 'content-type': 'application/octet-stream', etag }).end(published.file)
  })
  return Object.assign(published, { ...server, address: `${server.url}/catalog.relt` })
}

/** Publishes a file as the layer of an artifact in a registry that wants a token. */
export async function publishArtifact(file: Uint8Array) {
  const digestOf = (bytes: Uint8Array | string) => `sha256:${hash('sha256', bytes)}`
  const blob = { mediaType: 'application/vnd.relt.catalog', digest: digestOf(file), size: file.length }
  const manifest = JSON.stringify({ schemaVersion: 2, layers: [blob] })
  const type = 'application/vnd.oci.image.manifest.v1+json'
  const server = await openLocalServer(({ path, headers }, response) => {
    const send = (contentType: string, body: Uint8Array | string) =>
      void response.writeHead(200, { 'content-type': contentType }).end(body)
    if (path.startsWith('/token')) return send('application/json', '{"token":"t"}')
    if (headers.authorization !== 'Bearer t') {
      const realm = `http://${headers.host}/token`
      return void response.writeHead(401, { 'www-authenticate': `Bearer realm="${realm}",service="r"` }).end()
    }
    if (path === '/v2/relt/catalog/manifests/1') return send(type, manifest)
    if (path === `/v2/relt/catalog/blobs/${blob.digest}`) return send(blob.mediaType, file)
    response.writeHead(404).end()
  })
  return { ...server, address: `oci://${new URL(server.url).host}/relt/catalog:1` }
}

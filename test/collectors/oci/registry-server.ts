import { hash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { type Asked, type LocalServer, openLocalServer, sendJson } from '../local-server.ts'

export interface FakeImage {
  /** ISO 8601, as an annotation. */
  created?: string
  annotations?: Record<string, string>
  /** The configuration: of an image, or `Chart.yaml` of a chart. */
  config?: object
  isChart?: boolean
  /** Of several platforms: a list with this one in it. */
  isList?: boolean
}

export interface FakeRegistry extends LocalServer {
  host: string
  /** By name, then by tag. */
  repositories: Record<string, Record<string, FakeImage>>
  pageSize: number
  hasEtags: boolean
  /** Who may read; anybody with a token when absent. */
  password?: string
  /** How it wants to be asked. */
  access: 'open' | 'bearer' | 'basic'
  /** Where tokens are, if elsewhere. */
  realm?: string
  /** Answers in place of the server; false leaves it to that. */
  fault: (asked: Asked, response: ServerResponse) => boolean
}

const token = 'token-hunter2'

/** Answers as registries do, as far as relt asks: tags, manifests, blobs, tokens. */
export async function openRegistry(repositories: FakeRegistry['repositories'] = {}): Promise<FakeRegistry> {
  const registry = {
    repositories,
    pageSize: 1000,
    hasEtags: true,
    access: 'open',
    fault: () => false,
  } as unknown as FakeRegistry
  const server = await openLocalServer((asked, response) => {
    if (registry.fault(asked, response)) return
    const { pathname, searchParams } = new URL(asked.path, 'http://x')
    if (pathname === '/token') return giveToken(registry, asked, response)
    if (!isAllowed(registry, asked)) return refuse(registry, pathname, response)
    const [, name = '', kind, rest = ''] = /^\/v2\/(.+)\/(tags|manifests|blobs)\/(.+)$/.exec(pathname) ?? []
    const images = registry.repositories[name]
    if (!images) return sendError(response, 404, 'NAME_UNKNOWN')
    if (kind === 'tags') return listTags(registry, { name, images, after: searchParams.get('last') }, asked, response)
    const objects = Object.entries(images).flatMap(([tag, image]) => toObjects(tag, image))
    const found = objects.find(({ names }) => names.includes(rest))
    if (!found) return sendError(response, 404, 'MANIFEST_UNKNOWN')
    response.writeHead(200, { 'content-type': found.type, 'docker-content-digest': toDigest(found.text) })
    response.end(asked.method === 'HEAD' ? undefined : found.text)
  })
  return Object.assign(registry, server, { host: new URL(server.url).host })
}

export const toBasic = (name: string, password: string) =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

export const toDigest = (text: string) => `sha256:${hash('sha256', text)}`

function toObjects(tag: string, { created, annotations, config = {}, isChart, isList }: FakeImage) {
  const configText = JSON.stringify(config)
  const notes = { ...annotations, ...(created && { 'org.opencontainers.image.created': created }) }
  const manifest = JSON.stringify({
    schemaVersion: 2,
    config: {
      mediaType: isChart ? 'application/vnd.cncf.helm.config.v1+json' : 'application/vnd.oci.image.config.v1+json',
      digest: toDigest(configText),
      size: configText.length,
    },
    layers: [],
    annotations: notes,
  })
  const imageType = 'application/vnd.oci.image.manifest.v1+json'
  const list = JSON.stringify({
    schemaVersion: 2,
    manifests: [{ mediaType: imageType, digest: toDigest(manifest), size: manifest.length }],
  })
  const blob = { names: [toDigest(configText)], text: configText, type: 'application/octet-stream' }
  if (!isList) return [{ names: [tag, toDigest(manifest)], text: manifest, type: imageType }, blob]
  return [
    { names: [tag, toDigest(list)], text: list, type: 'application/vnd.oci.image.index.v1+json' },
    { names: [toDigest(manifest)], text: manifest, type: imageType },
    blob,
  ]
}

function listTags(
  { pageSize, hasEtags }: FakeRegistry,
  { name, images, after }: { name: string; images: Record<string, FakeImage>; after: string | null },
  asked: Asked,
  response: ServerResponse,
) {
  const rest = Object.keys(images)
    .toSorted()
    .filter((tag) => after === null || tag > after)
  const tags = rest.slice(0, pageSize)
  const etag = `"${hash('sha256', JSON.stringify(tags))}"`
  if (hasEtags && asked.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
  const link = `</v2/${name}/tags/list?last=${tags.at(-1)}&n=1000>; rel="next"`
  sendJson(response, { name, tags }, { ...(hasEtags && { etag }), ...(rest.length > tags.length && { link }) })
}

function isAllowed({ access, password }: FakeRegistry, { headers: { authorization } }: Asked): boolean {
  if (access === 'basic') return authorization === toBasic('ada', password ?? '')
  return access === 'open' || authorization === `Bearer ${token}`
}

function giveToken({ password }: FakeRegistry, { method, body, headers }: Asked, response: ServerResponse) {
  const isKnown =
    password === undefined ||
    headers.authorization === toBasic('ada', password) ||
    (method === 'POST' && new URLSearchParams(body).get('refresh_token') === password)
  if (isKnown) sendJson(response, method === 'POST' ? { access_token: token } : { token })
  else sendError(response, 401, 'DENIED')
}

function refuse({ access, realm, url }: FakeRegistry, pathname: string, response: ServerResponse) {
  const name = /^\/v2\/(.+)\/(?:tags|manifests|blobs)\//.exec(pathname)?.[1]
  const bearer = `Bearer realm="${realm ?? `${url}/token`}",service="test",scope="repository:${name}:pull"`
  sendError(response, 401, 'UNAUTHORIZED', { 'www-authenticate': access === 'basic' ? 'Basic realm="x"' : bearer })
}

function sendError(response: ServerResponse, status: number, code: string, headers: Record<string, string> = {}) {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ errors: [{ code }] }))
}

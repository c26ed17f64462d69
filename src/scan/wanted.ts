import { hash } from 'node:crypto'
import { isExactVersion } from '../util/exact-version.ts'
import { isObject } from '../util/json.ts'
import { withoutCredentials } from '../util/plain-address.ts'
import { type ChartLabel, splitChart, word } from './helm-labels.ts'

/** A version of a chart that an object in the cluster asks for. */
export interface InventoryWanted {
  tool: 'argo-cd' | 'flux' | 'k3s'
  kind: string
  namespace: string
  name: string
  chart: string | null
  /** As written: a version, a range, or null for none. */
  version: string | null
  /** Without credentials. */
  repository: string | null
  releaseName: string | null
  releaseNamespace: string | null
  /** The version that the tool last installed, where its status tells. */
  running: string | null
}

/** An OCIRepository, a HelmRepository or a HelmChart of Flux, to which others refer. */
export interface ChartSource {
  /** `OCIRepository/flux-system/podinfo`. */
  key: string
  /** Null for a HelmChart, whose own source has it. */
  url: string | null
  /** The source of a HelmChart. */
  sourceKey?: string | null
  /** Of a HelmChart, and of an OCI artifact that is one. */
  chart: string | null
  version: string | null
}

/** A wanted chart whose source is another object. */
export interface WantedBySource extends InventoryWanted {
  sourceKey: string | null
}

type Values = Record<string, unknown>

interface Named {
  namespace: string
  name: string
}

/** What an object of Argo CD wants: one for each chart among its sources. Sources in git name no version. */
export function readApplication(item: unknown): InventoryWanted[] {
  const named = toName(item)
  return named ? toApplication('Application', named, object(object(item).spec), object(object(item).status)) : []
}

/** Its template. A version that a generator fills in is not known. */
export function readApplicationSet(item: unknown): InventoryWanted[] {
  const named = toName(item)
  const template = object(object(object(item).spec).template)
  return named ? toApplication('ApplicationSet', named, object(template.spec), {}) : []
}

function toApplication(kind: string, named: Named, spec: Values, status: Values): InventoryWanted[] {
  const several = objects(spec.sources)
  const sources = several.length > 0 ? several : isObject(spec.source) ? [spec.source] : []
  const revisions = toRevisions(status)
  const destination = word(object(spec.destination).namespace) ?? null
  return sources.flatMap((source, index) => {
    const chart = untemplated(chartOfSource(source))
    // A set makes an Application of each of its charts, which says more.
    if (chart === null) return []
    return [
      {
        ...{ tool: 'argo-cd' as const, kind, ...named, chart },
        version: untemplated(word(source.targetRevision)),
        repository: untemplated(folderFor(source) ?? undefined),
        releaseName: untemplated(word(object(source.helm).releaseName)) ?? (kind === 'Application' ? named.name : null),
        releaseNamespace: untemplated(destination ?? undefined),
        running: revisions[index] ?? null,
      },
    ]
  })
}

/** A chart of an OCI registry may be named by its address alone. */
function chartOfSource({ chart, repoURL, path }: Values): string | undefined {
  const named = word(chart)
  if (named !== undefined) return named.split('/').at(-1)
  const address = word(repoURL) ?? ''
  const isWhole = address.startsWith('oci://') && (path === undefined || path === '' || path === '.')
  return isWhole ? lastOf(address) : undefined
}

/** Of `registry-1.docker.io` and `bitnamicharts/valkey`, the folder of the registry. */
function folderFor({ chart, repoURL }: Values): string | null {
  const [address, folder] = [toAddress(repoURL), folderIn(word(chart) ?? '')]
  return address === null || folder === '' ? address : `${address.replace(/\/+$/, '')}/${folder}`
}

/** What runs: the last sync that ended, else what is in sync. One revision for each source. */
function toRevisions({ sync, history }: Values): (string | undefined)[] {
  const last = objects(history).at(-1)
  const found = last ?? (object(sync).status === 'Synced' ? object(sync) : {})
  const many = Array.isArray(found.revisions) ? found.revisions.map(word) : [word(found.revision)]
  return many
}

export function readHelmRelease(item: unknown): WantedBySource[] {
  const named = toName(item)
  if (!named) return []
  const { spec, status } = parts(item)
  const template = object(object(spec.chart).spec)
  const reference = isObject(spec.chartRef) ? spec.chartRef : object(template.sourceRef)
  const target = word(spec.targetNamespace)
  return [
    {
      ...{ tool: 'flux', kind: 'HelmRelease', ...named },
      chart: lastOf(word(template.chart)) ?? null,
      version: word(template.version) ?? null,
      repository: null,
      releaseName: shortened(word(spec.releaseName) ?? (target === undefined ? named.name : `${target}-${named.name}`)),
      releaseNamespace: target ?? named.namespace,
      running: deployedBy(status),
      sourceKey: toKey(reference, named.namespace),
    },
  ]
}

const maxReleaseName = 53

/** Flux ends a name that is too long for Helm with a part of its digest. */
const shortened = (name: string): string =>
  name.length <= maxReleaseName ? name : `${name.slice(0, 40)}-${hash('sha256', name).slice(0, 12)}`

function deployedBy({ history, lastAppliedRevision }: Values): string | null {
  const all = objects(history)
  const deployed = all.find(({ status }) => status === 'deployed')
  return word(deployed?.chartVersion) ?? (all.length === 0 ? (word(lastAppliedRevision) ?? null) : null)
}

/** A Kustomization applies what is in git, which names no version; it is listed for what was applied. */
export function readKustomization(item: unknown): WantedBySource[] {
  const named = toName(item)
  if (!named) return []
  const { spec, status } = parts(item)
  return [
    {
      ...{ tool: 'flux', kind: 'Kustomization', ...named, chart: null, version: null, repository: null },
      ...{ releaseName: null, releaseNamespace: word(spec.targetNamespace) ?? null },
      running: word(status.lastAppliedRevision) ?? null,
      sourceKey: toKey(object(spec.sourceRef), named.namespace),
    },
  ]
}

/** HelmRepository and GitRepository name an address; an OCIRepository an artifact, with its tag. */
export function readSource(kind: string, item: unknown): ChartSource | undefined {
  const named = toName(item)
  const { spec } = parts(item)
  const url = toAddress(spec.url)
  if (!named || url === null) return undefined
  const { tag, semver, digest } = object(spec.ref)
  const isArtifact = kind === 'OCIRepository'
  return {
    key: `${kind}/${named.namespace}/${named.name}`,
    url,
    chart: isArtifact ? (lastOf(url) ?? null) : null,
    // A digest goes before a range, and its tag says which version it was.
    version: isArtifact ? ((digest === undefined ? word(semver) : undefined) ?? versionOfTag(word(tag))) : null,
  }
}

/** HelmChart of Flux, to which a HelmRelease may refer. Of others, a controller makes one for each HelmRelease. */
export function readFluxChart(item: unknown): ChartSource | undefined {
  const named = toName(item)
  const { spec } = parts(item)
  const chart = lastOf(word(spec.chart))
  if (!named || chart === undefined) return undefined
  return {
    key: `HelmChart/${named.namespace}/${named.name}`,
    ...{ url: null, chart, version: word(spec.version) ?? null },
    sourceKey: toKey(object(spec.sourceRef), named.namespace),
  }
}

/** A tag has `_` where a version has `+`. */
function versionOfTag(tag: string | undefined): string | null {
  const version = tag?.replaceAll('_', '+')
  return version !== undefined && isExactVersion(version) ? version : (tag ?? null)
}

/** HelmChart of k3s and RKE2, whose chart may be an archive that the server itself has. */
export function readHelmChart(item: unknown): InventoryWanted[] {
  const named = toName(item)
  if (!named) return []
  const { spec } = parts(item)
  const text = word(spec.chart)
  if (text === undefined) return []
  const archive = toArchive(text)
  return [
    {
      ...{ tool: 'k3s', kind: 'HelmChart', ...named },
      chart: archive?.name ?? lastOf(text) ?? null,
      version: archive?.version ?? word(spec.version) ?? null,
      repository: toAddress(spec.repo) ?? (text.startsWith('oci://') ? toAddress(folderIn(text)) : null),
      ...{ releaseName: named.name, releaseNamespace: word(spec.targetNamespace) ?? named.namespace, running: null },
    },
  ]
}

/** `https://%{KUBERNETES_API}%/static/charts/traefik-27.0.201+up27.0.2.tgz` */
function toArchive(text: string): ChartLabel | undefined {
  const file = /([^/]+)\.(?:tgz|tar\.gz)$/.exec(text)?.[1]
  return file === undefined ? undefined : splitChart(decodeURIComponentSafely(file))
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Fills in what a source of Flux says. */
export function resolveSource(
  { sourceKey, ...wanted }: WantedBySource,
  sources: ReadonlyMap<string, ChartSource>,
): InventoryWanted {
  const source = sourceKey === null ? undefined : sources.get(sourceKey)
  if (!source) return wanted
  const { chart, version, sourceKey: from } = source
  const repository = source.url ?? (from ? (sources.get(from)?.url ?? null) : null)
  // The artifact of a Kustomization has manifests.
  if (wanted.kind !== 'HelmRelease') return { ...wanted, repository }
  return { ...wanted, repository, chart: wanted.chart ?? chart, version: wanted.version ?? version }
}

function toKey({ kind, name, namespace }: Values, own: string): string | null {
  const [of, called] = [word(kind), word(name)]
  return of !== undefined && called !== undefined ? `${of}/${word(namespace) ?? own}/${called}` : null
}

function toName(item: unknown): Named | undefined {
  const metadata = object(object(item).metadata)
  const name = word(metadata.name)
  return name === undefined ? undefined : { namespace: word(metadata.namespace) ?? 'default', name }
}

const parts = (item: unknown) => ({ spec: object(object(item).spec), status: object(object(item).status) })

/** A text of a generator's template says nothing. */
const untemplated = (text: string | undefined): string | null =>
  text === undefined || /\{\{|\}\}|\$\{/.test(text) ? null : text

const lastOf = (address: string | undefined): string | undefined =>
  address
    ?.replace(/\/+$/, '')
    .split('/')
    .at(-1)
    ?.replace(/[:@].*$/, '') || undefined

/** `a/b` of `a/b/c`. */
const folderIn = (path: string): string => path.replace(/\/+$/, '').split('/').slice(0, -1).join('/')

function toAddress(value: unknown): string | null {
  const text = word(value)
  return text === undefined ? null : withoutCredentials(text)
}

const object = (value: unknown): Values => (isObject(value) ? value : {})
const objects = (value: unknown): Values[] => (Array.isArray(value) ? value.filter(isObject) : [])

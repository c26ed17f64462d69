import { hash } from 'node:crypto'
import { object, objects } from '../reports/formats/values.ts'
import { withoutCredentials } from '../util/address.ts'
import { isExactVersion } from '../util/exact-version.ts'
import { isObject } from '../util/json.ts'
import { splitChart, word } from './helm-labels.ts'

/** A version of a chart that an object in the cluster asks for. */
export interface InventoryWanted {
  tool: 'argo-cd' | 'flux' | 'k3s'
  kind: string
  namespace: string
  name: string
  chart: string | null
  /** As written: a version, a range, or null for none. */
  version: string | null
  /** URL without credentials. */
  repository: string | null
  releaseName: string | null
  releaseNamespace: string | null
  /** The version that the tool last installed, if in its status. */
  running: string | null
}

/** An OCIRepository, HelmRepository or HelmChart of Flux, which other objects reference. */
export interface ChartSource {
  /** `OCIRepository/flux-system/podinfo`. */
  key: string
  /** Null for a HelmChart, whose own source has the URL. */
  url: string | null
  /** The source of a HelmChart. */
  sourceKey?: string | null
  /** Set for a HelmChart, and for an OCI artifact that is a chart. */
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

/** Wanted charts of an Argo CD Application, one for each chart among its sources. Git sources have no version. */
export function readApplication(item: unknown): InventoryWanted[] {
  const named = toName(item)
  return named ? toApplication('Application', named, object(object(item).spec), object(object(item).status)) : []
}

/** Reads its template. A version that a generator fills in is unknown. */
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
    // The set creates an Application for each chart, which has more details.
    if (chart === null) return []
    return [
      {
        tool: 'argo-cd' as const,
        kind,
        ...named,
        chart,
        version: untemplated(word(source.targetRevision)),
        repository: untemplated(folderFor(source) ?? undefined),
        releaseName: untemplated(word(object(source.helm).releaseName)) ?? (kind === 'Application' ? named.name : null),
        releaseNamespace: untemplated(destination ?? undefined),
        running: revisions[index] ?? null,
      },
    ]
  })
}

/** A chart in an OCI registry may be named by its URL only. */
function chartOfSource({ chart, repoURL, path }: Values) {
  const named = word(chart)
  if (named !== undefined) return named.split('/').at(-1)
  const address = word(repoURL) ?? ''
  const isWhole = address.startsWith('oci://') && (path === undefined || path === '' || path === '.')
  return isWhole ? lastOf(address) : undefined
}

/** The registry folder, for `registry-1.docker.io` with `bitnamicharts/valkey`. */
function folderFor({ chart, repoURL }: Values) {
  const [address, folder] = [toAddress(repoURL), folderIn(word(chart) ?? '')]
  return address === null || folder === '' ? address : `${address.replace(/\/+$/, '')}/${folder}`
}

/** Running revisions: of the last completed sync, or else the one in sync. One for each source. */
function toRevisions({ sync, history }: Values) {
  const found = objects(history).at(-1) ?? (object(sync).status === 'Synced' ? object(sync) : {})
  return Array.isArray(found.revisions) ? found.revisions.map(word) : [word(found.revision)]
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
      tool: 'flux',
      kind: 'HelmRelease',
      ...named,
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

/** If a name is too long for Helm, Flux truncates it and appends part of its digest. */
const shortened = (name: string) =>
  name.length <= maxReleaseName ? name : `${name.slice(0, 40)}-${hash('sha256', name).slice(0, 12)}`

function deployedBy({ history, lastAppliedRevision }: Values) {
  const all = objects(history)
  const deployed = all.find(({ status }) => status === 'deployed')
  return word(deployed?.chartVersion) ?? (all.length === 0 ? (word(lastAppliedRevision) ?? null) : null)
}

/** A Kustomization applies content from git, which has no version; it is listed for the objects that it applied. */
export function readKustomization(item: unknown): WantedBySource[] {
  const named = toName(item)
  if (!named) return []
  const { spec, status } = parts(item)
  return [
    {
      tool: 'flux',
      kind: 'Kustomization',
      ...named,
      chart: null,
      version: null,
      repository: null,
      releaseName: null,
      releaseNamespace: word(spec.targetNamespace) ?? null,
      running: word(status.lastAppliedRevision) ?? null,
      sourceKey: toKey(object(spec.sourceRef), named.namespace),
    },
  ]
}

/** HelmRepository and GitRepository have a URL; an OCIRepository has an artifact with its tag. */
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
    // A digest overrides a range, and its tag states the version.
    version: isArtifact ? ((digest === undefined ? word(semver) : undefined) ?? versionOfTag(word(tag))) : null,
  }
}

/** HelmChart of Flux, which a HelmRelease may reference. For other HelmReleases, a controller creates one each. */
export function readFluxChart(item: unknown): ChartSource | undefined {
  const named = toName(item)
  const { spec } = parts(item)
  const chart = lastOf(word(spec.chart))
  if (!named || chart === undefined) return undefined
  return {
    key: `HelmChart/${named.namespace}/${named.name}`,
    url: null,
    chart,
    version: word(spec.version) ?? null,
    sourceKey: toKey(object(spec.sourceRef), named.namespace),
  }
}

/** A tag has `_` instead of `+`. */
function versionOfTag(tag: string | undefined) {
  const version = tag?.replaceAll('_', '+')
  return version !== undefined && isExactVersion(version) ? version : (tag ?? null)
}

/** HelmChart of k3s and RKE2, whose chart may be an archive on the server itself. */
export function readHelmChart(item: unknown): InventoryWanted[] {
  const named = toName(item)
  if (!named) return []
  const { spec } = parts(item)
  const text = word(spec.chart)
  if (text === undefined) return []
  const archive = toArchive(text)
  return [
    {
      tool: 'k3s',
      kind: 'HelmChart',
      ...named,
      chart: archive?.name ?? lastOf(text) ?? null,
      version: archive?.version ?? word(spec.version) ?? null,
      repository: toAddress(spec.repo) ?? (text.startsWith('oci://') ? toAddress(folderIn(text)) : null),
      releaseName: named.name,
      releaseNamespace: word(spec.targetNamespace) ?? named.namespace,
      running: null,
    },
  ]
}

/** `https://%{KUBERNETES_API}%/static/charts/traefik-27.0.201+up27.0.2.tgz` */
function toArchive(text: string) {
  const file = /([^/]+)\.(?:tgz|tar\.gz)$/.exec(text)?.[1]
  return file === undefined ? undefined : splitChart(decodeURIComponentSafely(file))
}

function decodeURIComponentSafely(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Fills in data from a Flux source. */
export function resolveSource(
  { sourceKey, ...wanted }: WantedBySource,
  sources: ReadonlyMap<string, ChartSource>,
): InventoryWanted {
  const source = sourceKey === null ? undefined : sources.get(sourceKey)
  if (!source) return wanted
  const { chart, version, sourceKey: from } = source
  const repository = source.url ?? (from ? (sources.get(from)?.url ?? null) : null)
  // The artifact of a Kustomization contains manifests rather than a chart.
  if (wanted.kind !== 'HelmRelease') return { ...wanted, repository }
  return { ...wanted, repository, chart: wanted.chart ?? chart, version: wanted.version ?? version }
}

function toKey({ kind, name, namespace }: Values, own: string) {
  const [of, called] = [word(kind), word(name)]
  return of !== undefined && called !== undefined ? `${of}/${word(namespace) ?? own}/${called}` : null
}

function toName(item: unknown) {
  const metadata = object(object(item).metadata)
  const name = word(metadata.name)
  return name === undefined ? undefined : { namespace: word(metadata.namespace) ?? 'default', name }
}

const parts = (item: unknown) => ({ spec: object(object(item).spec), status: object(object(item).status) })

/** Drops a text with placeholders of a generator's template. */
const untemplated = (text: string | undefined) => (text === undefined || /\{\{|\}\}|\$\{/.test(text) ? null : text)

const lastOf = (address: string | undefined) =>
  address
    ?.replace(/\/+$/, '')
    .split('/')
    .at(-1)
    ?.replace(/[:@].*$/, '') || undefined

/** `a/b/c` → `a/b`. */
const folderIn = (path: string) => path.replace(/\/+$/, '').split('/').slice(0, -1).join('/')

function toAddress(value: unknown) {
  const text = word(value)
  return text === undefined ? null : withoutCredentials(text)
}

import { apiWitnesses } from '../contract/choices.ts'
import type { UnreadSource } from '../contract/node.ts'
import type { OwnerLabel } from '../contract/ownership.ts'
import { isRedHatCoreOs } from '../lifecycle/node-system.ts'
import { offeringFor } from '../lifecycle/offering.ts'
import { withoutCredentials } from '../util/address.ts'
import { defined } from '../util/defined.ts'
import { isObject } from '../util/json.ts'
import type {
  AppArtifact,
  Artifacts,
  ChartArtifact,
  ImageArtifact,
  NodeArtifact,
  OwnerLink,
  UsedApi,
  WantedArtifact,
} from './artifact.ts'
import type { ReportCheck } from './check.ts'
import type { Item } from './item.ts'
import type { Report } from './read.ts'
import { stableResource } from './stable-name.ts'
import { objectsIn, short } from './text.ts'

const maxArtifacts = 50_000
const maxOwners = 200_000
/** Checks whose rows contain an image reference: in `Image` from PowerShell builds, in `Value` from native builds. */
const imageChecks = new Set(['POD007', 'SEC014'])

/** Returns the report's own inventory, or else the images that its findings name. */
export function readArtifacts(report: Report, imagesInFindings: ImageArtifact[]): Artifacts {
  const { images, ...others } = readRunning(isObject(report.artifacts) ? report.artifacts : {})
  return {
    images: images.length > 0 ? images : imagesInFindings,
    ...others,
    kubernetesVersion: report.kubernetesVersion ?? null,
    imageSource: images.length > 0 ? 'artifacts' : 'findings',
  }
}

const readRunning = (inventory: Record<string, unknown>) => ({
  images: rows(inventory.images).flatMap(readImage),
  charts: rows(inventory.helmCharts).flatMap(readChart),
  apps: rows(inventory.apps).flatMap(readApp),
})

/** Uses the separate inventory if the report has none. Only inventories have nodes and what follows. */
export function withInventory(artifacts: Artifacts, inventory: unknown): Artifacts {
  if (!isObject(inventory)) return artifacts
  const ofBoth = {
    ...artifacts,
    ...defined({
      owners: Array.isArray(inventory.owners) ? readOwners(inventory) : undefined,
      ownerLabels: orAbsent(rows(inventory.ownerLabels).flatMap(readOwnerLabel)),
      nodes: Array.isArray(inventory.nodes) ? rows(inventory.nodes).flatMap(readNode) : undefined,
      unread: orAbsent(rows(inventory.unread).flatMap(readUnread)),
      wanted: orAbsent(rows(inventory.wanted).flatMap(readWanted)),
      apis: orAbsent(rows(inventory.apis).flatMap(readApi)),
    }),
  }
  if (artifacts.imageSource === 'artifacts') return ofBoth
  const { images, charts, apps } = readRunning(inventory)
  const gaps = texts(inventory.gaps)
  return {
    ...ofBoth,
    ...(gaps.length > 0 && { gaps }),
    ...(images.length > 0 && { images, imageSource: 'artifacts' }),
    charts: artifacts.charts.length > 0 ? artifacts.charts : charts,
    apps: artifacts.apps.length > 0 ? artifacts.apps : apps,
  }
}

const orAbsent = <T>(list: T[]): T[] | undefined => (list.length > 0 ? list : undefined)

const texts = (list: unknown): string[] => (Array.isArray(list) ? list.flatMap((each) => short(each) ?? []) : [])

function readUnread(row: Record<string, unknown>): UnreadSource[] {
  const [source, reason] = [short(row.source), short(row.reason)]
  return source && reason ? [{ source, reason }] : []
}

function readWanted(row: Record<string, unknown>): WantedArtifact[] {
  const [tool, kind, name] = [short(row.tool), short(row.kind), short(row.name)]
  if (!tool || !kind || !name) return []
  const repository = short(row.repository)
  return [
    {
      tool,
      kind,
      name,
      namespace: short(row.namespace) ?? null,
      chart: short(row.chart) ?? null,
      version: short(row.version) ?? null,
      repository: repository ? withoutCredentials(repository) : null,
      running: short(row.running) ?? null,
      release: short(row.releaseName) ?? null,
      releaseNamespace: short(row.releaseNamespace) ?? null,
    },
  ]
}

function readApi(row: Record<string, unknown>): UsedApi[] {
  const [version, kind] = [short(row.version), short(row.kind)]
  const by = apiWitnesses.find((one) => one === row.by)
  if (!version || !kind || !by) return []
  const users = texts(row.users).slice(0, 20)
  const count = typeof row.count === 'number' ? row.count : users.length
  return [{ group: short(row.group) ?? '', version, kind, by, users, count }]
}

function readNode(row: Record<string, unknown>): NodeArtifact[] {
  const name = short(row.name)
  if (!name) return []
  // Red Hat CoreOS is used by OpenShift only.
  const ofSystem = isRedHatCoreOs(short(row.osImage) ?? '') ? 'openshift' : undefined
  const offering = offeringFor(null, short(row.offering)) ?? ofSystem
  return [
    {
      name,
      os: short(row.osImage) ?? null,
      runtime: short(row.containerRuntimeVersion) ?? null,
      kubelet: short(row.kubeletVersion) ?? null,
      ...(offering !== undefined && { offering }),
    },
  ]
}

/** Chains of controllers in an inventory. */
export function readOwners(inventory: unknown): OwnerLink[] {
  return isObject(inventory) ? rows(inventory.owners, maxOwners).flatMap(readOwner) : []
}

/** The image that a row names. `Container` is not read: it is the name of the container. */
export function imageOfFinding(check: Pick<ReportCheck, 'id'>, item: Item, raw: unknown): ImageArtifact | undefined {
  if (!imageChecks.has(check.id) || !isObject(raw)) return undefined
  const reference = short(raw.Image) ?? short(raw.Value)
  if (!reference || /\s/.test(reference)) return undefined
  const workload = item.resource === null ? null : stableResource(item.resource)
  return { reference, namespace: item.namespace, workload, helmChart: null, helmRelease: null }
}

/** Counts distinct images, charts and apps. */
export function countArtifacts(artifacts: Artifacts) {
  return {
    images: new Set(artifacts.images.map((image) => image.reference)).size,
    helm_charts: new Set(artifacts.charts.map((chart) => `${chart.name}@${chart.version}`)).size,
    apps: new Set(artifacts.apps.map((app) => `${app.name}@${app.version}`)).size,
  }
}

function readImage(row: Record<string, unknown>): ImageArtifact[] {
  const reference = short(row.fullRef)
  if (!reference) return []
  return [
    {
      reference,
      namespace: short(row.namespace) ?? null,
      workload: toWorkload(row),
      helmChart: short(row.helmChartName) ?? null,
      helmRelease: short(row.helmReleaseName) ?? null,
      ...defined({ spec: short(row.specDigest) }),
    },
  ]
}

function readChart(row: Record<string, unknown>): ChartArtifact[] {
  const name = short(row.name)
  const version = short(row.version)
  if (!name || !version) return []
  return [
    {
      name,
      version,
      release: short(row.releaseName) ?? null,
      namespace: short(row.releaseNamespace) ?? short(row.namespace) ?? null,
      workload: toWorkload(row),
      ...defined({ appVersion: short(row.appVersion) }),
    },
  ]
}

function readApp(row: Record<string, unknown>): AppArtifact[] {
  const name = short(row.name)
  const version = short(row.version)
  return name && version ? [{ name, version, namespace: short(row.namespace) ?? null }] : []
}

function toWorkload(row: Record<string, unknown>): string | null {
  const name = short(row.workloadName)
  return name ? `${(short(row.workloadKind) ?? 'workload').toLowerCase()}/${name}` : null
}

function readOwner(row: Record<string, unknown>): OwnerLink[] {
  const [kind, name] = [short(row.kind), short(row.name)]
  const [ownerKind, ownerName] = [short(row.ownerKind), short(row.ownerName)]
  if (!kind || !name || !ownerKind || !ownerName) return []
  const toName = (kind: string, name: string) => `${kind.toLowerCase()}/${name}`
  return [{ namespace: short(row.namespace) ?? '', resource: toName(kind, name), owner: toName(ownerKind, ownerName) }]
}

function readOwnerLabel(row: Record<string, unknown>): OwnerLabel[] {
  const [namespace, owner] = [short(row.namespace), short(row.owner)?.trim().slice(0, 100)]
  return namespace && owner ? [{ namespace, workload: toWorkload(row), owner }] : []
}

const rows = (value: unknown, most = maxArtifacts) => objectsIn(value).slice(0, most)

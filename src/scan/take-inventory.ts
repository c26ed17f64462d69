import { ReltError } from '../errors.ts'
import type { ApiUses } from './api-use.ts'
import type { ScanEnv } from './environment.ts'
import { equalReasons, type FailedList } from './equal-reasons.ts'
import { readRelease } from './helm-release.ts'
import { maxImages, maxOwners, type ScannedInventory } from './inventory.ts'
import { InventoryBuilder } from './inventory-builder.ts'
import { readSources } from './inventory-sources.ts'
import { getRaw, type Kubectl, mayList, requireKubectl } from './kubectl.ts'
import { type KubernetesObject, readObject } from './kubernetes-object.ts'
import { listKind } from './list-kind.ts'
import type { Running } from './running.ts'

export interface InventoryOptions {
  env: ScanEnv
  signal?: AbortSignal | undefined
  excludedNamespaces?: string[]
  /** kubectl context (default: the current one). */
  context?: string | undefined
  /** Query the API server's metrics for requests to deprecated APIs; needs an additional role. */
  deprecatedApis?: boolean | undefined
  /** Of one call of kubectl. */
  timeoutMs?: number | undefined
}

export interface TakenInventory {
  inventory: ScannedInventory
  running: Running
  /** Why the inventory is incomplete. */
  gap: string | undefined
  /** Failed queries, one sentence each. */
  warnings: string[]
}

const kinds = [
  // The largest list is requested first.
  { kind: 'Pod', path: '/api/v1/pods' },
  { kind: 'ReplicaSet', path: '/apis/apps/v1/replicasets' },
  { kind: 'Deployment', path: '/apis/apps/v1/deployments' },
  { kind: 'StatefulSet', path: '/apis/apps/v1/statefulsets' },
  { kind: 'DaemonSet', path: '/apis/apps/v1/daemonsets' },
  { kind: 'CronJob', path: '/apis/batch/v1/cronjobs' },
  { kind: 'Job', path: '/apis/batch/v1/jobs' },
] as const

/** `/apis/apps/v1/deployments` → `apps/v1`. */
const servedBy = (path: string) => path.split('/').slice(2, -1).join('/')

const formatPlural = (path: string) => path.slice(path.lastIndexOf('/') + 1)

const pageSize = 500
/** Limits parallel kubectl processes, of some 30 MB each. */
const atOnce = 2

/**
 * Reads the cluster of kubectl's context. A kind without read permission is omitted with a warning. Throws `usage` without
 * kubectl, `scan_failed` if nothing could be read, and `cancelled`.
 */
export async function takeInventory(options: InventoryOptions): Promise<TakenInventory> {
  const { env, signal, excludedNamespaces, context, deprecatedApis, timeoutMs } = options
  const hint = 'Install kubectl: https://kubernetes.io/docs/tasks/tools/'
  const file = requireKubectl(env, 'no inventory can be collected', hint)
  const kubectl = { file, env, signal, context, timeoutMs }
  const builder = new InventoryBuilder(excludedNamespaces)
  const failures = await readWorkloads(kubectl, builder)
  const warnings = toWarnings(failures)
  if (failures.length === kinds.length) {
    throw new ReltError('scan_failed', 'kubectl could not read anything for the inventory.', {
      hint: 'Check that the cluster is reachable: kubectl get pods -A',
      output: warnings,
    })
  }
  const [unread, why] = await Promise.all([
    readSources(kubectl, builder),
    deprecatedApis ? readDeprecatedApis(kubectl, builder.apis) : undefined,
    readReleases(kubectl, builder),
  ])
  if (why !== undefined) unread.push({ name: 'deprecated APIs', reason: why })
  const found = builder.finish()
  if (builder.isFull) warnings.push(`The inventory is cut off after ${maxImages} images and ${maxOwners} owners.`)
  const [gap] = warnings
  const inventory = {
    ...found,
    ...(unread.length > 0 && { unread: unread.map(({ name: source, reason }) => ({ source, reason })) }),
    ...(gap !== undefined && { gaps: warnings }),
  }
  return { inventory, running: builder.running, gap, warnings: [...warnings, ...toWarnings(unread)] }
}

const toWarnings = (failures: FailedList[]) =>
  equalReasons(failures).map(({ names, reason }) => `The inventory has no ${names.join(', ')}: ${reason}`)

/** Longer than any metric line except histograms. */
const maxLine = 64 * 1024

/** Reads which deprecated APIs were requested since the API server started. Returns why it could not. */
async function readDeprecatedApis(kubectl: Kubectl, apis: ApiUses) {
  let rest = ''
  const failure = await getRaw(kubectl, '/metrics', (chunk) => {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop()!.slice(-maxLine)
    for (const line of lines) apis.addMetric(line)
  })
  apis.addMetric(rest)
  return failure?.why
}

/** Returns the kinds that could not be read. */
async function readWorkloads(kubectl: Kubectl, builder: InventoryBuilder) {
  const failures: FailedList[] = []
  const waiting = kinds.values()
  const work = async () => {
    // Parallel loops share this queue of kinds.
    for (const { kind, path } of waiting) {
      let objects: KubernetesObject[] = []
      const why = await listKind(kubectl, { path, pageSize }, () => {
        objects = []
        return (item) => {
          builder.apis.addObject(item, kind, servedBy(path))
          const object = readObject(item, kind)
          if (object) objects.push(object)
        }
      })
      if (why === undefined) for (const object of objects) builder.addObject(object)
      else failures.push({ name: formatPlural(path), reason: why })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const order = kinds.map(({ path }) => formatPlural(path))
  return failures.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
}

/**
 * Most users may not read secrets, and should not, so this is no warning. Labels provide most of the data. A denied request
 * would raise an alarm in monitored clusters.
 */
async function readReleases(kubectl: Kubectl, builder: InventoryBuilder) {
  const labelSelector = 'owner=helm,status=deployed'
  const kinds = { secrets: { fieldSelector: 'type=helm.sh/release.v1', labelSelector }, configmaps: { labelSelector } }
  for (const [kind, query] of Object.entries(kinds)) {
    if (!(await mayList(kubectl, kind))) continue
    await listKind(kubectl, { path: `/api/v1/${kind}`, query, pageSize: 50 }, () => (record) => {
      const release = readRelease(record)
      if (release) builder.addRelease(release)
    })
  }
}

import { ReltError } from '../errors.ts'
import type { ScanEnv } from './environment.ts'
import { readRelease } from './helm-release.ts'
import { maxImages, type ScannedInventory } from './inventory.ts'
import { InventoryBuilder } from './inventory-builder.ts'
import { findKubectl, getAll, type KubectlAnswer } from './kubectl.ts'
import { readList } from './read-list.ts'

export interface InventoryOptions {
  env: ScanEnv
  signal?: AbortSignal | undefined
  excludedNamespaces?: string[]
  /** Context of kubectl (default: the current one). */
  context?: string | undefined
}

export interface TakenInventory {
  inventory: ScannedInventory
  /** Failed queries, one sentence each. */
  warnings: string[]
}

const kinds = [
  // The longest answer is asked for first.
  ['pods', 'Pod'],
  ['deployments', 'Deployment'],
  ['statefulsets', 'StatefulSet'],
  ['daemonsets', 'DaemonSet'],
  ['cronjobs', 'CronJob'],
  ['jobs', 'Job'],
] as const

const ofReleases = ['--field-selector=type=helm.sh/release.v1', '--selector=owner=helm,status=deployed']

/**
 * Asks the cluster that kubectl is set up for. A kind that may not be read is left out with a warning. Throws `usage`
 * without kubectl, `scan_failed` when nothing could be read, and `cancelled`.
 */
export async function takeInventory(options: InventoryOptions): Promise<TakenInventory> {
  const { env, signal, excludedNamespaces, context } = options
  const file = findKubectl(env)
  if (file === undefined) {
    throw new ReltError('usage', 'kubectl is not on PATH, so no inventory can be collected.', {
      hint: 'Install kubectl, or use a saved inventory with --inventory FILE.',
    })
  }
  const kubectl = { file, env, signal, context }
  const builder = new InventoryBuilder(excludedNamespaces)
  const [answers, secrets] = await Promise.all([
    Promise.all(kinds.map(([kind]) => getAll(kubectl, kind))),
    getAll(kubectl, 'secrets', ofReleases),
  ])
  addReleases(builder, secrets)
  const warnings: string[] = []
  // Pods are read last: they belong to what was read before.
  for (const [i, [kind, name]] of [...kinds.entries()].reverse()) {
    const answer = answers[i]!
    if ('bytes' in answer) for (const item of readList(answer.bytes, `The list of ${kind}`)) builder.add(item, name)
    else warnings.push(`The inventory has no ${kind}: ${answer.why}`)
  }
  if (warnings.length === kinds.length) {
    throw new ReltError('scan_failed', 'kubectl could not read anything for the inventory.', {
      hint: 'Check that the cluster is reachable with kubectl get pods -A, or scan without an inventory: relt scan run --no-inventory',
      output: warnings,
    })
  }
  const inventory = builder.finish()
  if (builder.isFull) warnings.push(`The inventory is cut off after ${maxImages} images.`)
  return { inventory, warnings }
}

/** Most users may not read secrets and should not, so this is no warning. Labels provide most of the data. */
function addReleases(builder: InventoryBuilder, answer: KubectlAnswer): void {
  if (!('bytes' in answer)) return
  for (const secret of readList(answer.bytes, 'The list of releases')) {
    const release = readRelease(secret)
    if (release) builder.addRelease(release)
  }
}

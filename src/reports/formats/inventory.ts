import { parseJson } from '../../util/json.ts'
import { withInventory } from '../artifacts.ts'
import type { Scan } from '../scan.ts'
import { string, strings } from '../text.ts'
import { ScanCollector } from './collector.ts'
import { object, objects, time } from './values.ts'

/** Member beside the lists of an inventory from `relt scan inventory`: how complete these are. */
export interface InventoryHead {
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  taken_at: string
  kubernetes_version?: string | undefined
  /** Kinds that were read: `pods`, `deployments.apps`. */
  read: string[]
  /** The only namespaces that were read. */
  namespaces?: string[] | undefined
  excluded_namespaces: string[]
  /** Why no scanner checked the cluster. */
  no_checks: string
}

/** An inventory as a run of its own: what runs, and no checks. */
export function readInventory(bytes: Uint8Array): Scan {
  const content = object(parseJson(bytes, 'The report'))
  const head = object(content.inventory)
  const collector = new ScanCollector('inventory')
  collector.lookedAt()
  const checks = { id: 'checks', name: 'Checks of the cluster', category: 'Coverage' }
  collector.notRun(checks, string(head.no_checks) ?? 'an inventory has no checks')
  const unreadKinds = objects(content.unread).flatMap(({ source, reason }) => {
    const [kind, why] = [string(source), string(reason)]
    return kind && why ? [{ kind, category: '*', reason: why }] : []
  })
  const scan = collector.finish({
    clusterName: undefined,
    generatedAt: time(head.taken_at),
    kubernetesVersion: string(head.kubernetes_version),
    includedNamespaces: strings(head.namespaces),
    excludedNamespaces: strings(head.excluded_namespaces),
  })
  return {
    ...scan,
    score: undefined,
    scope: { ...scan.scope, parts: strings(head.read).slice(0, maxKinds), unreadKinds: unreadKinds.slice(0, maxKinds) },
    artifacts: { ...withInventory(scan.artifacts, content), imageSource: 'artifacts' },
  }
}

const maxKinds = 100

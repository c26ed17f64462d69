import type { OwnerLabel } from '../../src/contract/ownership.ts'
import type { ImageArtifact, OwnerLink } from '../../src/reports/artifact.ts'
import { withInventory } from '../../src/reports/artifacts.ts'
import type { ScannedInventory } from '../../src/scan/inventory.ts'
import { InventoryBuilder } from '../../src/scan/inventory-builder.ts'
import { batch } from './controllers/batch.ts'
import { realChanges } from './controllers/changes.ts'
import type { Controller } from './controllers/controller.ts'
import { databases } from './controllers/databases.ts'
import { delivery } from './controllers/delivery.ts'
import { type At, drawing, type KubeObject, many, object } from './controllers/objects.ts'
import { platform } from './controllers/platform.ts'
import { reportOf } from './controllers/scanner.ts'
import { storage } from './controllers/storage.ts'
import { training } from './controllers/training.ts'
import type { MadeReport, MadeRow } from './made-cluster.ts'

export { realChanges }

/** Controllers by name, each in a namespace of its own. */
export const controllers: Record<string, Controller> = {
  ...{ ...batch, ...training, ...delivery },
  ...{ ...storage, ...databases, ...platform },
}

/** A scan of a cluster with these controllers. */
export interface MadeDay {
  /** Unix seconds. */
  at: number
  report: MadeReport
  objects: KubeObject[]
  /** As `relt` uploads it beside the report. */
  inventory: ScannedInventory
  owners: OwnerLink[]
  images: ImageArtifact[]
  ownerLabels: OwnerLabel[]
  /** The controller that a row of the report is about; `nodes` for all others. */
  controllerOf: (row: MadeRow) => string
}

interface DayOptions {
  /** Names of controllers; default: all. */
  only?: string[]
  /** Names of real changes that were made until this day. */
  changes?: string[]
}

/** Midnight before the first day. */
const start = Date.UTC(2026, 10, 27) / 1000
const daySeconds = 86_400

/** Two machines that stay, and two that a node autoscaler replaces each day. */
function nodesOf(seed: number, day: number): string[] {
  const draw = drawing(`${seed}/nodes/${day}`)
  const number = () => 1 + draw.below(250)
  const replaced = many(2, () => `ip-10-0-${number()}-${number()}.eu-west-1.compute.internal`)
  return ['host-a1.example.net', 'host-b2.example.net', ...replaced]
}

/** The cluster of a seed on a day. From one day to the next, nothing changes but names, except for `changes`. */
export function controllersDay(seed: number, day: number, { only, changes = [] }: DayOptions = {}): MadeDay {
  const midnight = start + day * daySeconds
  const nodes = nodesOf(seed, day)
  const origin = new Map<string, string>()
  const made = Object.entries(controllers).flatMap(([name, { namespace, objects }]) => {
    if (only && !only.includes(name)) return []
    const seedOfRow = `${seed}/${name}`
    const at: At = { day, midnight, draw: drawing(`${seedOfRow}/${day}`), kept: drawing(seedOfRow), nodes, namespace }
    const own = objects(at)
    for (const each of own) origin.set(`${each.kind.toLowerCase()}/${each.metadata.name}`, name)
    return own
  })
  const at: At = { day, midnight, draw: drawing(''), kept: drawing(''), nodes, namespace: '' }
  const machines = nodes.map((node) =>
    object(at, 'Node', node, { status: { conditions: [{ type: 'Ready', status: 'True' }] } }),
  )
  const objects = changes.reduce((list, name) => realChanges[name]!.make(list, at), [...machines, ...made])
  const inventory = inventoryOf(objects)
  const read = withInventory(
    { images: [], charts: [], apps: [], kubernetesVersion: null, imageSource: 'findings' },
    inventory,
  )
  const byNamespace = new Map(Object.entries(controllers).map(([name, { namespace }]) => [namespace, name]))
  return {
    at: midnight + daySeconds / 2,
    report: reportOf(objects, midnight + daySeconds / 2),
    objects,
    inventory,
    owners: read.owners ?? [],
    images: read.images,
    ownerLabels: read.ownerLabels ?? [],
    controllerOf: ({ Namespace, Resource }) =>
      byNamespace.get(String(Namespace)) ?? origin.get(String(Resource).toLowerCase()) ?? 'nodes',
  }
}

function inventoryOf(objects: KubeObject[]): ScannedInventory {
  const builder = new InventoryBuilder()
  builder.noteSource('nodes')
  for (const each of objects) {
    if (each.kind === 'Node') builder.addNode(each)
    else builder.add(each)
  }
  return builder.finish()
}

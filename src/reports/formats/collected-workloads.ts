import type { WorkloadPlace } from '../place-sets.ts'
import { string } from '../text.ts'
import { objects } from './values.ts'

/** Upper bound: more workloads than run one image. */
const maxWorkloads = 100_000

/**
 * The workloads of a report, as `relt scan collect` adds them: those that users edit, not the ReplicaSet or pod that the
 * operator names. Reports of one image in several workloads are merged. Undefined in the operator's own reports.
 */
export function workloadsFor({ workloads }: Record<string, unknown>): WorkloadPlace[] | undefined {
  if (!Array.isArray(workloads)) return undefined
  return objects(workloads.slice(0, maxWorkloads)).flatMap((row) => {
    const resource = string(row.resource)
    if (resource === undefined) return []
    return { namespace: string(row.namespace) ?? '', resource, container: string(row.container) }
  })
}

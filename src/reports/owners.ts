import type { Artifacts } from './artifact.ts'

/**
 * Names the Deployment or the CronJob in place of its ReplicaSets and Jobs, which have other names after each rollout
 * and run. A report does not say who owns them, so both names must be in it: `replicaset/web-65cc8855c` is
 * `deployment/web` only when the namespace has one. Anything else may be on its own, or belong to another controller.
 */
export function withOwners(artifacts: Artifacts): Artifacts {
  const { images, charts } = artifacts
  if (!images.some(mayBeOwned) && !charts.some(mayBeOwned)) return artifacts
  const named = new Set([...images, ...charts].map(({ namespace, workload }) => `${namespace} ${workload}`))
  const owned = <T extends { namespace: string | null; workload: string | null }>(one: T): T => {
    const owner = one.workload === null ? undefined : ownerFor(one.workload)
    return owner !== undefined && named.has(`${one.namespace} ${owner}`) ? { ...one, workload: owner } : one
  }
  return { ...artifacts, images: images.map(owned), charts: charts.map(owned) }
}

function mayBeOwned({ workload }: { workload: string | null }): boolean {
  return workload !== null && (workload.startsWith('replicaset/') || workload.startsWith('job/'))
}

/** A hash of a template in the letters that Kubernetes uses. */
const replicaSet = /^replicaset\/(.+)-(?=[a-z]*\d)[bcdfghjklmnpqrstvwxz2456789]{8,10}$/
/** The scheduled time in minutes. */
const job = /^job\/(.+)-\d{8}$/

/** Whose generated name it may be. */
function ownerFor(workload: string): string | undefined {
  const deployment = replicaSet.exec(workload)?.[1]
  if (deployment !== undefined) return `deployment/${deployment}`
  const cronJob = job.exec(workload)?.[1]
  return cronJob === undefined ? undefined : `cronjob/${cronJob}`
}

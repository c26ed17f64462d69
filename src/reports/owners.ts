import type { Artifacts } from './artifact.ts'

/**
 * Replaces ReplicaSets and Jobs, whose names change with each rollout and run, by their Deployment or CronJob. A report does
 * not contain owners, so it must contain both names: `replicaset/web-65cc8855c` is `deployment/web` only if the namespace
 * has that Deployment. Anything else may have no owner, or another one.
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

/** A pod-template hash, in Kubernetes' alphabet. */
const replicaSet = /^replicaset\/(.+)-(?=[a-z]*\d)[bcdfghjklmnpqrstvwxz2456789]{8,10}$/
/** The scheduled time in minutes. */
const job = /^job\/(.+)-\d{8}$/

/** The workload that probably generated this name. */
function ownerFor(workload: string): string | undefined {
  const deployment = replicaSet.exec(workload)?.[1]
  if (deployment !== undefined) return `deployment/${deployment}`
  const cronJob = job.exec(workload)?.[1]
  return cronJob === undefined ? undefined : `cronjob/${cronJob}`
}

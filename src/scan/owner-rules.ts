import { templateHash } from '../reports/generated-name.ts'
import { word } from './helm-labels.ts'
import type { ObjectName } from './kubernetes-object.ts'

/**
 * Labels by which tools name what a person edits, on the pods that come of it. The objects between (a Revision, a TaskRun, an
 * EphemeralRunner) are custom resources, which an inventory does not list. The first label that is there counts.
 */
const labelled: [label: string, kind: string][] = [
  ['serving.knative.dev/service', 'Service'],
  ['serving.knative.dev/configuration', 'Configuration'],
  ['tekton.dev/pipeline', 'Pipeline'],
  ['tekton.dev/task', 'Task'],
  ['tekton.dev/clusterTask', 'ClusterTask'],
  ['actions.github.com/scale-set-name', 'AutoscalingRunnerSet'],
  ['runner-deployment-name', 'RunnerDeployment'],
  ['sparkoperator.k8s.io/app-name', 'SparkApplication'],
  ['openshift.io/deployment-config.name', 'DeploymentConfig'],
]

/** What the labels or annotations of an object say that it comes of. */
export function ownerByLabel(...texts: Record<string, unknown>[]): ObjectName | undefined {
  for (const [label, kind] of labelled) {
    const name = texts.map((each) => word(each[label])).find(Boolean)
    if (name !== undefined) return { kind, name }
  }
  return undefined
}

/** Names that a controller makes of its own and the time at which it started something. */
const timed: [kind: string, name: RegExp, owner: string][] = [
  // Minutes.
  ['Job', /^(.+)-\d{8}$/, 'CronJob'],
  // Seconds.
  ['Workflow', /^(.+)-\d{10}$/, 'CronWorkflow'],
  // Nanoseconds.
  ['SparkApplication', /^(.+)-\d{19}$/, 'ScheduledSparkApplication'],
]

const replicaSet = new RegExp(`^(.+)-${templateHash}$`)

/** The owner of an object of which only the name is known. */
export function ownerByName({ kind, name }: ObjectName): ObjectName | undefined {
  for (const [of, pattern, owner] of timed) {
    const match = of === kind ? pattern.exec(name) : null
    if (match) return { kind: owner, name: match[1]! }
  }
  const template = kind === 'ReplicaSet' ? replicaSet.exec(name)?.[1] : undefined
  return template === undefined ? undefined : { kind: 'Deployment', name: template }
}

import { templateHash } from '../reports/generated-name.ts'
import { word } from './helm-labels.ts'
import type { ObjectName } from './kubernetes-object.ts'

/**
 * Labels on pods with which tools name the object that users edit. The objects in between (a Revision, a TaskRun, an
 * EphemeralRunner) are custom resources, which an inventory does not list. The first existing label counts.
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

/** The object that the labels or annotations name as owner. */
export function ownerByLabel(...texts: Record<string, unknown>[]): ObjectName | undefined {
  for (const [label, kind] of labelled) {
    const name = texts.map((each) => word(each[label])).find(Boolean)
    if (name !== undefined) return { kind, name }
  }
  return undefined
}

/** Names that a controller builds from its own name and the start time. */
const timed: [kind: string, name: RegExp, owner: string][] = [
  // Time in minutes.
  ['Job', /^(.+)-\d{8}$/, 'CronJob'],
  // Time in seconds.
  ['Workflow', /^(.+)-\d{10}$/, 'CronWorkflow'],
  // Time in nanoseconds.
  ['SparkApplication', /^(.+)-\d{19}$/, 'ScheduledSparkApplication'],
]

const replicaSet = new RegExp(`^(.+)-${templateHash}$`)

/** The owner of an object, derived from its name only. */
export function ownerByName({ kind, name }: ObjectName): ObjectName | undefined {
  for (const [of, pattern, owner] of timed) {
    const match = of === kind ? pattern.exec(name) : null
    if (match) return { kind: owner, name: match[1]! }
  }
  const template = kind === 'ReplicaSet' ? replicaSet.exec(name)?.[1] : undefined
  return template === undefined ? undefined : { kind: 'Deployment', name: template }
}

import { dryRun, type FixDraft, type Fixes } from './draft.ts'
import { asName } from './place.ts'

/** Shows the labels of a selector, which no check reports. */
function showSelector(draft: FixDraft) {
  const path = 'jsonpath={.spec.selector.matchLabels}'
  draft.inNamespace('Read the labels that select the pods', 'get', draft.workload, '-o', path)
}

const matchLabels = (draft: FixDraft) =>
  draft.fill('MATCH_LABELS', 'the labels that the first command prints, as they are: {"app":"web"}')

function createBudget(draft: FixDraft) {
  showSelector(draft)
  const { workload } = draft.place
  const spec = { maxUnavailable: 1, selector: { matchLabels: matchLabels(draft) } }
  const name = workload?.name ?? draft.fill('BUDGET', 'a name for the PodDisruptionBudget')
  draft.apply('Let a drain evict one pod at a time', {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace: draft.namespace },
    spec,
  })
}

const isBudget = ({ place }: FixDraft) => place.kind === 'poddisruptionbudget' && place.workload === undefined

/** Fixes a PodDisruptionBudget that protects nothing or blocks every drain. */
function mendBudget(draft: FixDraft) {
  const budget = `poddisruptionbudget/${draft.name}`
  draft.inNamespace('See what the budget allows, and of how many pods', 'describe', budget)
  const spec = { minAvailable: null, maxUnavailable: 1 }
  draft.patch('Let a drain evict one pod at a time', budget, { spec }, 'merge')
}

const budget = (draft: FixDraft) => (isBudget(draft) ? mendBudget(draft) : createBudget(draft))

function spread(draft: FixDraft) {
  showSelector(draft)
  draft.patchPods('Spread the pods over the nodes', {
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: matchLabels(draft) },
      },
    ],
  })
}

const recommended = ['name', 'instance', 'version', 'component', 'part-of', 'managed-by']

function addLabels(draft: FixDraft) {
  const missing = recommended.filter((name) => draft.value.includes(`app.kubernetes.io/${name}`))
  const labels = (missing.length > 0 ? missing : recommended).map((name) => {
    const placeholder = name.toUpperCase().replace('-', '_')
    return `app.kubernetes.io/${name}=${draft.fill(placeholder, `the value of app.kubernetes.io/${name}`)}`
  })
  draft.inNamespace('Add the labels', 'label', draft.workload, ...labels, dryRun)
  draft.caution('The pods get the labels from the pod template. The labels of a selector cannot change.')
}

function createHeadless(draft: FixDraft) {
  const { workload } = draft.place
  if (workload?.kind !== 'statefulset') return
  const name = asName(draft.value) ?? draft.fill('SERVICE', 'the spec.serviceName of the StatefulSet')
  if (draft.message.includes('should reference')) {
    draft.inNamespace('See the Service, which has an address', 'get', `service/${name}`, '-o', 'yaml')
    draft.caution('The clusterIP of a Service cannot change: delete the Service and create it with clusterIP None.')
    return
  }
  showSelector(draft)
  const selector = matchLabels(draft)
  const ports = [{ port: draft.fill('PORT', 'the number of the port on which the pods listen') }]
  draft.apply('Create the headless Service', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: draft.namespace },
    spec: { clusterIP: 'None', selector, ports },
  })
}

/** Fixes for checks about workloads and their PodDisruptionBudgets. */
export const workloadFixes: Fixes = {
  WRK006: budget,
  WRK012: budget,
  WRK015: spread,
  WRK016: addLabels,
  WRK017: (draft) => {
    draft.inNamespace('Run a second replica', 'scale', draft.workload, '--replicas=2', dryRun)
    draft.caution('Not each application can run twice. One that cannot needs an exception: relt exceptions add.')
  },
  WRK021: (draft) => {
    draft.step('See which priority classes exist', ['get', 'priorityclasses'])
    draft.patchPods('Set the priority class', { priorityClassName: draft.fill('PRIORITY_CLASS', 'one of them') })
  },
  WRK024: (draft) => isBudget(draft) && mendBudget(draft),
  WRK027: createHeadless,
  WRK029: (draft) => {
    if (!isBudget(draft)) return
    const spec = { unhealthyPodEvictionPolicy: 'AlwaysAllow' }
    draft.patch('Let drains evict pods that are not ready', `poddisruptionbudget/${draft.name}`, { spec }, 'merge')
  },
}

import type { MadeReport } from '../made-cluster.ts'
import { type Check, Cluster, type Container, type PodSpec, rowsOf, type Said, toSaid } from './check.ts'
import type { KubeObject } from './objects.ts'
import { roleChecks } from './role-checks.ts'

const specOf = ({ kind, spec }: KubeObject): PodSpec =>
  (kind === 'Pod' ? spec : (spec as { template: { spec: PodSpec } }).template.spec) as PodSpec

const workloads = ['Deployment', 'StatefulSet', 'DaemonSet']

const ofPods = (
  name: string,
  severity: string,
  say: (spec: PodSpec, pod: KubeObject, cluster: Cluster) => Said[],
): Check => ({
  ...{ name, severity, kind: 'Pod' },
  find: rowsOf(['Pod'], (pod, cluster) => say(specOf(pod), pod, cluster)),
})

const ofContainers = (name: string, severity: string, say: (container: Container) => Said | undefined | false): Check =>
  ofPods(name, severity, ({ containers }) => containers.flatMap((each) => toSaid(say(each))))

/** Templates of pods: Deployments, StatefulSets and DaemonSets only. */
const ofTemplates = (
  name: string,
  severity: string,
  kind: string,
  say: (container: Container) => Said | undefined | false,
): Check => ({
  ...{ name, severity, kind },
  find: rowsOf(workloads, (object) => specOf(object).containers.flatMap((each) => toSaid(say(each)))),
})

const missing = (parts: [is: unknown, name: string][]): string =>
  parts.flatMap(([is, name]) => (is ? [] : name)).join(', ')
const flag = (value: unknown): string => (value === undefined ? '' : value ? 'True' : 'False')

interface Status {
  phase: string
  startTime: string
  containerStatuses: { name: string; restartCount: number; state: { waiting?: { reason: string } } }[]
}
const statusOf = (pod: KubeObject) => pod.status as Status
const restartsOf = (pod: KubeObject) =>
  statusOf(pod).containerStatuses.reduce((sum, { restartCount }) => sum + restartCount, 0)

const isControlled = ({ metadata }: KubeObject) =>
  (metadata.ownerReferences ?? []).some((owner) => (owner as { controller?: boolean }).controller)

const sensitivePath = /^(?:\/etc|\/proc|\/sys|\/(?:etc|proc|sys)\/.*|\/var\/lib\/kubelet.*)$/

interface Involved {
  involvedObject: { kind: string; name: string }
  reason: string
  message: string
}

const replicated = (kinds: string[], say: (replicas: number, object: KubeObject) => Said) =>
  rowsOf(kinds, (object) => {
    const { replicas = 1 } = object.spec as { replicas?: number }
    return replicas > 1 ? [say(replicas, object)] : []
  })

/** The native build lists absent init and ephemeral containers as one each. */
const nameless: Pick<Container, 'name' | 'securityContext'> = { name: '' }

/** Checks of KubeBuddy 0.0.36 by id, as its native build words them. */
const checks: Record<string, Check> = {
  ...roleChecks,
  CFG001: {
    ...{ name: 'Orphaned ConfigMaps', severity: 'warning', kind: 'ConfigMap' },
    find: rowsOf(['ConfigMap'], () => [['ConfigMap is not used by any workloads or services.', '-']]),
  },
  EVENT001: {
    ...{ name: 'Grouped Warning Events', severity: 'warning', kind: 'events' },
    find: (cluster) =>
      cluster.of('Event').map((event) => {
        const { reason, message } = event as unknown as Involved
        return { Count: 1, Message: message, Reason: reason, Source: 'kubelet' }
      }),
  },
  EVENT002: {
    ...{ name: 'Full Warning Event Log', severity: 'warning', kind: 'events' },
    find: (cluster) =>
      cluster.of('Event').map((event) => {
        const { reason, message, involvedObject } = event as unknown as Involved
        const { namespace, creationTimestamp } = event.metadata
        const about = `${involvedObject.kind}/${involvedObject.name}`
        return {
          Message: message,
          Namespace: namespace,
          Object: about,
          Reason: reason,
          Source: 'kubelet',
          Timestamp: creationTimestamp,
        }
      }),
  },
  JOB001: {
    ...{ name: 'Stuck Kubernetes Jobs', severity: 'warning', kind: 'jobs' },
    find: rowsOf(['Job'], ({ status }, { now }) => {
      const { startTime, conditions } = status as { startTime: string; conditions?: { type: string }[] }
      const hours = Math.floor((now - Date.parse(startTime) / 1000) / 3600)
      return hours >= 2 && !conditions?.some(({ type }) => type === 'Complete') ? [['🟡 Stuck', `${hours}`]] : []
    }),
  },
  JOB002: {
    ...{ name: 'Failed Kubernetes Jobs', severity: 'critical', kind: 'jobs' },
    find: rowsOf(['Job'], ({ status }) => {
      const { failed } = status as { failed?: number }
      return failed ? [['🔴 Failed', `${failed}`]] : []
    }),
  },
  JOB003: {
    ...{ name: 'CronJob Hygiene', severity: 'warning', kind: 'CronJob' },
    find: rowsOf(['CronJob'], () => [
      [
        'CronJob has risky scheduling or retention settings',
        'missing concurrencyPolicy, missing startingDeadlineSeconds',
      ],
    ]),
  },
  NET001: {
    ...{ name: 'Services Without Endpoints', severity: 'critical', kind: 'Service' },
    find: rowsOf(['Service'], () => [['No endpoints or endpoint slices']]),
  },
  NET002: {
    ...{ name: 'Publicly Accessible Services', severity: 'critical', kind: 'Service' },
    find: rowsOf(['Service'], ({ spec }) => {
      const { type } = spec as { type: string }
      return type === 'ClusterIP' ? [] : [[`Exposed via ${type}`, type]]
    }),
  },
  NET012: ofPods('Pod HostNetwork Usage', 'critical', ({ hostNetwork }) =>
    hostNetwork ? [['hostNetwork is enabled', 'true']] : [],
  ),
  NODE001: {
    ...{ name: 'Node Readiness and Conditions', severity: 'critical', kind: 'Node' },
    find: (cluster) =>
      cluster.of('Node').map(({ metadata, status }) => {
        const [{ status: ready } = { status: '' }] = (status as { conditions: { status: string }[] }).conditions
        const isBad = ready === 'False'
        const Node = metadata.name
        return isBad
          ? { Issues: '❌ Not Ready', Node, Status: 'Unknown Issue' }
          : { Issues: 'None', Node, Status: '✅ Healthy' }
      }),
  },
  NS004: ofPods('Pods in Default Namespace', 'warning', (_, { metadata }) =>
    metadata.namespace === 'default' ? [['Pod is running in the default namespace']] : [],
  ),
  POD001: ofPods('Pods with High Restarts', 'warning', (_, pod) => {
    const restarts = restartsOf(pod)
    return restarts > 3 ? [[restarts > 10 ? 'Critical' : 'Warning', `${restarts}`]] : []
  }),
  POD002: ofPods('Long Running Pods', 'warning', (_, pod, cluster) => {
    const days = cluster.daysSince(statusOf(pod).startTime)
    return days > 15 && statusOf(pod).phase === 'Running' ? [[days > 30 ? 'Critical' : 'Warning', `${days}`]] : []
  }),
  POD003: ofPods('Failed Pods', 'critical', (_, pod) =>
    statusOf(pod).phase === 'Failed'
      ? [
          [
            "Some pods are stuck in the 'Failed' phase. These workloads are not running and require attention.",
            'Failed',
          ],
        ]
      : [],
  ),
  POD005: ofPods('CrashLoopBackOff Pods', 'critical', (_, pod) =>
    statusOf(pod).containerStatuses.some(({ state }) => state.waiting?.reason === 'CrashLoopBackOff')
      ? [['Some pods are stuck restarting in CrashLoopBackOff. These workloads are not stable.', 'CrashLoopBackOff']]
      : [],
  ),
  POD006: ofPods('Leftover Debug Pods', 'warning', ({ nodeName }, pod) =>
    pod.metadata.name.includes('debugger') ? [[statusOf(pod).phase, nodeName]] : [],
  ),
  POD007: ofContainers('Container images do not use latest tag', 'critical', ({ name, image }) =>
    image.endsWith(':latest')
      ? [`Container ${name}: Image uses latest tag`, image]
      : !/:[^/]*$/.test(image) && [`Container ${name}: Image omits explicit tag`, image],
  ),
  POD008: ofPods('Automounting API Credentials Enabled in Pods', 'warning', () => [
    ['Pod automounts API credentials', 'not set (defaults to true)'],
  ]),
  POD010: ofPods('Naked Pods', 'warning', (_, pod) =>
    isControlled(pod) ? [] : [['Pod is not managed by a workload controller']],
  ),
  SEC002: ofPods('Pods using hostPID or hostNetwork', 'critical', ({ hostPID = false, hostNetwork = false }) => {
    const used = [hostPID && 'hostPID', hostNetwork && 'hostNetwork'].filter(Boolean)
    return used.length > 0 ? [[`Pod uses ${used.join(' and ')}`, `hostPID=${hostPID}, hostNetwork=${hostNetwork}`]] : []
  }),
  SEC003: ofPods('Pods Running as Root', 'critical', ({ containers, securityContext }) =>
    securityContext?.runAsUser === undefined
      ? [...containers, nameless, nameless].flatMap(({ name, securityContext: own }) =>
          toSaid(
            own?.runAsUser === undefined && [
              `Container ${name} runs as root or has no runAsUser set`,
              'Not Set (Defaults to root)',
            ],
          ),
        )
      : [],
  ),
  SEC004: ofContainers(
    'Privileged Containers',
    'critical',
    ({ name, securityContext }) =>
      securityContext?.privileged === true && [`Container '${name}' is running in privileged mode`, 'privileged=true'],
  ),
  SEC006: ofContainers('Pods Missing Secure Defaults', 'warning', ({ name, securityContext: is }) => {
    if (!is) return [`Container ${name} has no securityContext defined`, 'Missing securityContext']
    if (is.runAsNonRoot && is.readOnlyRootFilesystem && is.allowPrivilegeEscalation === false) return undefined
    const flags = ['runAsNonRoot', 'readOnlyRootFilesystem', 'allowPrivilegeEscalation']
    return [
      `Container ${name} is missing one or more secure defaults`,
      flags.map((each) => `${each}: ${flag(is[each])}`).join(', '),
    ]
  }),
  SEC009: ofContainers(
    'Missing Capabilities Drop',
    'warning',
    ({ name, securityContext }) =>
      !securityContext?.capabilities && [`Container ${name} does not drop ALL capabilities`],
  ),
  SEC010: ofPods('HostPath Volume Usage', 'critical', ({ volumes = [] }) =>
    volumes.flatMap(({ name, hostPath }) => toSaid(hostPath && [`hostPath volume ${name} used`, hostPath.path])),
  ),
  SEC011: ofContainers(
    'Containers Running as UID 0',
    'critical',
    ({ name, securityContext }) => !securityContext?.runAsUser && [`Container ${name} runs as UID 0`, '0'],
  ),
  SEC014: ofContainers('Untrusted Image Registries', 'critical', ({ name, image }) => [
    `Image from untrusted registry in container ${name}`,
    image,
  ]),
  SEC015: ofPods('Pods Using Default ServiceAccount', 'warning', ({ serviceAccountName = 'default' }) =>
    serviceAccountName === 'default' ? [['Pod uses default ServiceAccount', 'default']] : [],
  ),
  SEC020: ofContainers(
    'Seccomp Profile Not Configured',
    'warning',
    ({ name, securityContext }) =>
      !securityContext?.seccompProfile && [`Container ${name} has no explicit seccomp profile`],
  ),
  SEC029: ofPods('Sensitive HostPath Mounts', 'critical', ({ volumes = [] }) =>
    volumes.flatMap(({ name, hostPath }) =>
      toSaid(
        hostPath !== undefined &&
          sensitivePath.test(hostPath.path) && [
            `hostPath volume ${name} mounts sensitive host path ${hostPath.path}`,
            hostPath.path,
          ],
      ),
    ),
  ),
  SEC035: {
    ...{ name: 'Image Not Pinned to Digest', severity: 'info', kind: 'Deployment, StatefulSet, DaemonSet, Pod' },
    find: rowsOf([...workloads, 'Pod'], (object) =>
      specOf(object).containers.map(({ image }) => [`Image is not pinned to a digest: ${image}`, image]),
    ),
  },
  WRK002: {
    ...{ name: 'Deployment Missing Replicas', severity: 'warning', kind: 'Deployment' },
    find: rowsOf(['Deployment'], ({ spec, status }) => {
      const [wanted, is] = [
        (spec as { replicas: number }).replicas,
        (status as { availableReplicas: number }).availableReplicas,
      ]
      return is < wanted ? [['Deployment has fewer available replicas than desired.', `${is}/${wanted}`]] : []
    }),
  },
  WRK005: ofTemplates(
    'Missing Resource Requests',
    'warning',
    'Pod',
    ({ name, resources }) => !resources?.requests && ['Container: CPU request, Memory request missing', name],
  ),
  WRK007: ofTemplates('Missing Readiness and Liveness Probes', 'warning', 'Deployment', (container) => {
    const lacks = missing([
      [container.readinessProbe, 'readiness'],
      [container.livenessProbe, 'liveness'],
    ])
    return lacks !== '' && [`${lacks} missing`, container.name]
  }),
  WRK012: {
    ...{
      name: 'PodDisruptionBudget Adequacy for Replicated Workloads',
      severity: 'warning',
      kind: 'PodDisruptionBudget',
    },
    find: replicated(workloads, (replicas) => ['No matching PDB for replicated workload', `${replicas}`]),
  },
  WRK013: ofPods('CrashLoopBackOff and OOMKilled Guardrail', 'critical', ({ containers }, pod) =>
    statusOf(pod).containerStatuses.flatMap(({ name, restartCount, state }) => {
      const reasons = [
        ...(state.waiting?.reason === 'CrashLoopBackOff' ? ['CrashLoopBackOff'] : []),
        ...(restartCount >= 5 ? [`HighRestarts(${restartCount})`] : []),
      ]
      const { requests = {}, limits = {} } = containers.find((each) => each.name === name)?.resources ?? {}
      const amounts = `cpuReq=${requests.cpu ?? ''} cpuLimit=${limits.cpu ?? ''} memReq=${requests.memory ?? ''} memLimit=${limits.memory ?? ''}`
      return toSaid(reasons.length > 0 && [`${reasons.join(', ')} ${amounts}`, name])
    }),
  ),
  WRK014: ofTemplates(
    'Missing Memory Limits',
    'warning',
    'Pod',
    ({ name, resources }) => !resources?.requests && ['Container: Memory limit missing', name],
  ),
  WRK015: {
    ...{ name: 'Replicated Workloads Missing Spread Constraints', severity: 'warning', kind: 'Deployment' },
    find: replicated(workloads, (replicas) => [
      'Replicated workload defines neither pod anti-affinity nor topology spread constraints',
      `${replicas}`,
    ]),
  },
  WRK016: {
    ...{ name: 'Missing Recommended Application Labels', severity: 'info', kind: 'Deployment, StatefulSet, DaemonSet' },
    find: rowsOf(workloads, () => [
      [
        'Workload is missing recommended app.kubernetes.io labels',
        ['name', 'instance', 'version', 'component', 'part-of', 'managed-by']
          .map((each) => `app.kubernetes.io/${each}`)
          .join(', '),
      ],
    ]),
  },
  WRK017: {
    ...{ name: 'Single Replica Workload', severity: 'info', kind: 'Deployment, StatefulSet' },
    find: rowsOf(['Deployment', 'StatefulSet'], ({ spec }) =>
      (spec as { replicas: number }).replicas === 1 ? [['Workload has a single replica', '1']] : [],
    ),
  },
  WRK021: {
    ...{ name: 'Missing Workload PriorityClass', severity: 'info', kind: 'Deployment, StatefulSet, DaemonSet' },
    find: rowsOf(workloads, () => [['Workload does not set priorityClassName']]),
  },
  WRK026: ofContainers('Missing Ephemeral Storage Requests or Limits', 'warning', ({ name }) => [
    'Container missing requests.ephemeral-storage, limits.ephemeral-storage',
    name,
  ]),
  WRK027: {
    ...{ name: 'StatefulSet Missing or Invalid Headless Service', severity: 'warning', kind: 'StatefulSet' },
    find: rowsOf(['StatefulSet'], ({ spec }) => [
      ['StatefulSet serviceName does not match a Service', (spec as { serviceName: string }).serviceName],
    ]),
  },
}

/** The report of these objects at a time, Unix seconds. */
export function reportOf(objects: KubeObject[], now: number): MadeReport {
  const cluster = new Cluster(objects, now)
  const entries = Object.entries(checks).map(([ID, { name, severity, kind, find }]) => {
    const Items = find(cluster)
    const Total = ID === 'NODE001' ? Items.filter(({ Issues }) => Issues !== 'None').length : Items.length
    return [ID, { ID, Name: name, Severity: severity, Weight: 2, ResourceKind: kind, Total, Items }] as const
  })
  return {
    metadata: { clusterName: 'made', kubernetesVersion: 'v1.33.6', excludeNamespacesEnabled: false, score: 51 },
    checks: Object.fromEntries(entries),
  }
}

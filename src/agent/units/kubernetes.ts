import type { JobOptions } from '../job.ts'
import { accessFor, type JobSources } from '../sources/index.ts'
import { type RbacOptions, rulesFor } from './rbac.ts'
import { unitName } from './unit.ts'

export interface KubernetesOptions {
  form: 'deployment' | 'cronjob'
  jobs: (JobSources & Partial<Pick<JobOptions, 'time_zone' | 'deprecated_apis'>>)[]
  /** Text of `agent.yaml`. */
  config: string
  /** Image with relt, and kubectl and the scanner if a job needs them. */
  image: string
  namespace: string
  /** TCP port of the server that receives the reports. */
  serverPort: number
  /** Other TCP ports that the agent connects to, such as those of heartbeats. */
  ports?: readonly number[]
  /** Name of a ConfigMap with certificates in its key `ca.crt`. */
  caBundle?: string | undefined
  /** On OpenShift, the cluster assigns user and groups, and DNS is in `openshift-dns`. */
  isOpenshift?: boolean
  /** Address of a resolver on each node. */
  nodeLocalDns?: string | undefined
  /** Port of `/metrics` for a PodMonitor. */
  metricsPort?: number | undefined
  access?: RbacOptions | undefined
}

export interface Manifest {
  apiVersion: string
  kind: string
  [member: string]: unknown
}

/** A file of a Kustomize base. */
export interface KubernetesFile {
  path: string
  objects: Manifest[]
}

const labels = { 'app.kubernetes.io/name': unitName, 'app.kubernetes.io/part-of': 'relt' }
/** Any non-root user; the volume gets this group. */
const userId = 65_532
const folder = '/etc/relt'
const caFolder = '/etc/relt-ca'
/** Separate from the credentials, which are in the Secret with the unit's own name. */
export const configName = `${unitName}-config`

/** All objects except the configuration, which differs between the two forms of output. */
export function kubernetesFiles(options: KubernetesOptions): KubernetesFile[] {
  const { namespace, form } = options
  const rules: object[] = rulesFor(accessFor(options.jobs), options.access)
  if (options.jobs.some(({ deprecated_apis }) => deprecated_apis)) rules.push(metricsRule)
  const named = { name: unitName, namespace, labels }
  return [
    { path: 'namespace.yaml', objects: [toNamespace(namespace)] },
    {
      path: 'access.yaml',
      objects: [
        { apiVersion: 'v1', kind: 'ServiceAccount', metadata: named, automountServiceAccountToken: false },
        ...(rules.length > 0 ? accessTo(rules, namespace) : []),
      ],
    },
    { path: 'network-policy.yaml', objects: [networkPolicy(named, options)] },
    { path: 'volume.yaml', objects: [volumeClaim(named)] },
    ...(options.metricsPort === undefined ? [] : [{ path: 'pod-monitor.yaml', objects: [podMonitor(named)] }]),
    { path: `${form}.yaml`, objects: [form === 'cronjob' ? cronJob(named, options) : deployment(named, options)] },
  ]
}

/** Kustomize appends a hash of the content to the name, so a changed configuration starts a new pod. */
export function kustomization(files: KubernetesFile[], { namespace }: KubernetesOptions): Manifest {
  return {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    namespace,
    resources: files.map(({ path }) => path),
    secretGenerator: [{ name: configName, files: ['agent.yaml'] }],
    // `kubectl apply --prune` removes earlier ones by their labels.
    generatorOptions: { labels },
  }
}

/** Heartbeat URLs are secret: anyone who knows one can report success in a job's name. */
export function configSecret({ namespace, config }: KubernetesOptions): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: configName, namespace, labels },
    type: 'Opaque',
    stringData: { 'agent.yaml': config },
  }
}

function toNamespace(name: string): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { ...labels, 'pod-security.kubernetes.io/enforce': 'restricted' } },
  }
}

/** Not a resource, but a path of the API server with metrics on deprecated APIs. */
export const metricsRule = { nonResourceURLs: ['/metrics'], verbs: ['get'] }

function accessTo(rules: object[], namespace: string): Manifest[] {
  const metadata = { name: unitName, labels }
  return [
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata, rules },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: unitName },
      subjects: [{ kind: 'ServiceAccount', name: unitName, namespace }],
    },
  ]
}

const tcp = (port: number) => ({ protocol: 'TCP', port })

/** Inbound, only metrics are allowed. A policy cannot name hosts, so the API and the server are ports. */
function networkPolicy(metadata: object, options: KubernetesOptions): Manifest {
  const { serverPort, ports = [], metricsPort } = options
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata,
    spec: {
      podSelector: { matchLabels: labels },
      policyTypes: ['Ingress', 'Egress'],
      ingress: metricsPort === undefined ? [] : [{ ports: [tcp(metricsPort)] }],
      egress: [...resolvers(options), { ports: [...new Set([443, 6443, serverPort, ...ports])].map(tcp) }],
    },
  }
}

function resolvers({ isOpenshift, nodeLocalDns }: KubernetesOptions) {
  const on = (port: number) => [{ protocol: 'UDP', port }, tcp(port)]
  const inNamespace = (name: string) => [
    { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } },
  ]
  const block = nodeLocalDns && `${nodeLocalDns}/${nodeLocalDns.includes(':') ? 128 : 32}`
  return [
    isOpenshift
      ? { to: inNamespace('openshift-dns'), ports: on(5353) }
      : { to: inNamespace('kube-system'), ports: on(53) },
    ...(block ? [{ to: [{ ipBlock: { cidr: block } }], ports: on(53) }] : []),
  ]
}

/** A PodMonitor for the Prometheus operator. */
function podMonitor(metadata: object): Manifest {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PodMonitor',
    metadata,
    spec: { selector: { matchLabels: labels }, podMetricsEndpoints: [{ port: 'metrics', interval: '60s' }] },
  }
}

function volumeClaim(metadata: object): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata,
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } },
  }
}

/** One agent per volume: a second pod would wait for it, or share its store over a network file system. */
function deployment(metadata: object, options: KubernetesOptions): Manifest {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: {
      replicas: 1,
      strategy: { type: 'Recreate' },
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec(options, { args: [], livenessProbe }) },
    },
  }
}

/** Each pod runs jobs that became due since the last one and sends the spool, so it must start more often than the jobs. */
function cronJob(metadata: object, options: KubernetesOptions): Manifest {
  const timeZone = options.jobs.find(({ time_zone }) => time_zone !== undefined)?.time_zone ?? 'Etc/UTC'
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata,
    spec: {
      schedule: '*/15 * * * *',
      timeZone,
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: 600,
      successfulJobsHistoryLimit: 1,
      failedJobsHistoryLimit: 3,
      jobTemplate: {
        metadata: { labels },
        spec: {
          // The agent records and retries failures; a second pod would only repeat the exit code.
          backoffLimit: 0,
          template: {
            metadata: { labels },
            spec: { ...podSpec(options, { args: ['--once'] }), restartPolicy: 'Never' },
          },
        },
      },
    },
  }
}

/** The kubelet cannot reach a port. A probe starts a process, so it is infrequent. */
const livenessProbe = {
  exec: { command: ['relt', 'agent', 'status', '--probe'] },
  ...{ initialDelaySeconds: 60, periodSeconds: 60, timeoutSeconds: 20, failureThreshold: 3 },
}

/** OpenShift assigns each namespace a user and group of its own. */
const ownUser = { runAsUser: userId, runAsGroup: userId, fsGroup: userId, fsGroupChangePolicy: 'OnRootMismatch' }

interface Container {
  args: string[]
  livenessProbe?: object
}

function podSpec(options: KubernetesOptions, wanted: Container) {
  const { caBundle, isOpenshift } = options
  return {
    serviceAccountName: unitName,
    // kubectl authenticates with it.
    automountServiceAccountToken: true,
    // The agent finishes or hands over within 25 s.
    terminationGracePeriodSeconds: 30,
    securityContext: {
      runAsNonRoot: true,
      ...(!isOpenshift && ownUser),
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [agentContainer(options, wanted)],
    volumes: [
      { name: 'data', persistentVolumeClaim: { claimName: unitName } },
      { name: 'config', secret: { secretName: configName } },
      { name: 'tmp', emptyDir: {} },
      ...(caBundle ? [{ name: 'ca', configMap: { name: caBundle, items: [{ key: 'ca.crt', path: 'ca.crt' }] } }] : []),
    ],
  }
}

function agentContainer({ image, caBundle, metricsPort }: KubernetesOptions, { args, ...more }: Container) {
  return {
    name: 'agent',
    image,
    args: ['agent', 'run', ...args, '--config', `${folder}/agent.yaml`],
    env: [
      { name: 'RELT_HOME', value: '/data' },
      { name: 'RELT_KEYCHAIN', value: 'off' },
      { name: 'HOME', value: '/tmp' },
      ...(caBundle ? [{ name: 'RELT_CA_FILE', value: `${caFolder}/ca.crt` }] : []),
    ],
    ...(metricsPort !== undefined && { ports: [{ name: 'metrics', containerPort: metricsPort }] }),
    ...more,
    // RELT_SERVER, RELT_USERNAME and RELT_PASSWORD.
    envFrom: [{ secretRef: { name: unitName, optional: true } }],
    resources: { requests: { cpu: '10m', memory: '128Mi' }, limits: { memory: '1Gi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [
      { name: 'data', mountPath: '/data' },
      { name: 'config', mountPath: folder, readOnly: true },
      { name: 'tmp', mountPath: '/tmp' },
      ...(caBundle ? [{ name: 'ca', mountPath: caFolder, readOnly: true }] : []),
    ],
  }
}

import { describe, expect, test } from 'vitest'
import { accessFor, type JobSources } from '../../../src/agent/sources/index.ts'
import {
  configSecret,
  type KubernetesOptions,
  kubernetesFiles,
  kustomization,
  type Manifest,
} from '../../../src/agent/units/kubernetes.ts'
import { inventoryRules, reportRules, rulesFor, unknownKinds } from '../../../src/agent/units/rbac.ts'
import { reportSources } from '../../../src/scan/report-source.ts'

const options: KubernetesOptions = {
  form: 'deployment',
  jobs: [
    { collect: 'trivy-operator', time_zone: undefined },
    { profile: 'prod', time_zone: 'Europe/Berlin' },
  ],
  config: 'jobs: []\n',
  image: 'registry.example/relt:1',
  namespace: 'relt',
  serverPort: 8443,
}
const toObjects = (changes: Partial<KubernetesOptions> = {}) =>
  kubernetesFiles({ ...options, ...changes }).flatMap(({ objects }) => objects)
// biome-ignore lint/suspicious/noExplicitAny: a document of any kind
const find = (kind: string, changes?: Partial<KubernetesOptions>): any =>
  toObjects(changes).find((object) => object.kind === kind)

/** Fields of the API that the objects may have: `object` has these, `list` holds such items, a word is a type. */
type Shape = { object: Record<string, Shape> } | { list: Shape } | { map: 'string' } | 'string' | 'int' | 'boolean'
const strings: Shape = { list: 'string' }
const map: Shape = { map: 'string' }
const metadata: Shape = { object: { name: 'string', namespace: 'string', labels: map } }
const selector: Shape = { object: { matchLabels: map } }
const ports: Shape = { list: { object: { protocol: 'string', port: 'int' } } }
const seconds: Record<string, Shape> = { initialDelaySeconds: 'int', periodSeconds: 'int', timeoutSeconds: 'int' }
const pod: Shape = {
  object: {
    serviceAccountName: 'string',
    automountServiceAccountToken: 'boolean',
    terminationGracePeriodSeconds: 'int',
    restartPolicy: 'string',
    securityContext: {
      object: {
        ...{ runAsNonRoot: 'boolean', runAsUser: 'int', runAsGroup: 'int', fsGroup: 'int' },
        ...{ fsGroupChangePolicy: 'string', seccompProfile: { object: { type: 'string' } } },
      },
    },
    containers: {
      list: {
        object: {
          ...{ name: 'string', image: 'string', args: strings },
          livenessProbe: {
            object: { ...seconds, failureThreshold: 'int', exec: { object: { command: strings } } },
          },
          ports: { list: { object: { name: 'string', containerPort: 'int' } } },
          env: { list: { object: { name: 'string', value: 'string' } } },
          envFrom: { list: { object: { secretRef: { object: { name: 'string', optional: 'boolean' } } } } },
          resources: { object: { requests: map, limits: map } },
          securityContext: {
            object: {
              allowPrivilegeEscalation: 'boolean',
              readOnlyRootFilesystem: 'boolean',
              capabilities: { object: { drop: strings } },
            },
          },
          volumeMounts: { list: { object: { name: 'string', mountPath: 'string', readOnly: 'boolean' } } },
        },
      },
    },
    volumes: {
      list: {
        object: {
          name: 'string',
          persistentVolumeClaim: { object: { claimName: 'string' } },
          secret: { object: { secretName: 'string' } },
          emptyDir: { object: {} },
          configMap: {
            object: { name: 'string', items: { list: { object: { key: 'string', path: 'string' } } } },
          },
        },
      },
    },
  },
}
const template: Shape = { object: { metadata, spec: pod } }
const members: Record<string, Record<string, Shape>> = {
  'v1 Namespace': {},
  'v1 Secret': { type: 'string', stringData: map },
  'v1 ServiceAccount': { automountServiceAccountToken: 'boolean' },
  'v1 PersistentVolumeClaim': {
    spec: { object: { accessModes: strings, resources: { object: { requests: map } } } },
  },
  'rbac.authorization.k8s.io/v1 ClusterRole': {
    rules: { list: { object: { apiGroups: strings, resources: strings, verbs: strings, nonResourceURLs: strings } } },
  },
  'rbac.authorization.k8s.io/v1 ClusterRoleBinding': {
    roleRef: { object: { apiGroup: 'string', kind: 'string', name: 'string' } },
    subjects: { list: { object: { kind: 'string', name: 'string', namespace: 'string' } } },
  },
  'networking.k8s.io/v1 NetworkPolicy': {
    spec: {
      object: {
        podSelector: selector,
        policyTypes: strings,
        ingress: { list: { object: { ports } } },
        egress: {
          list: {
            object: {
              to: { list: { object: { namespaceSelector: selector, ipBlock: { object: { cidr: 'string' } } } } },
              ports,
            },
          },
        },
      },
    },
  },
  'monitoring.coreos.com/v1 PodMonitor': {
    spec: {
      object: {
        selector,
        podMetricsEndpoints: { list: { object: { port: 'string', interval: 'string' } } },
      },
    },
  },
  'apps/v1 Deployment': {
    spec: { object: { replicas: 'int', strategy: { object: { type: 'string' } }, selector, template } },
  },
  'batch/v1 CronJob': {
    spec: {
      object: {
        ...{ schedule: 'string', timeZone: 'string', concurrencyPolicy: 'string', startingDeadlineSeconds: 'int' },
        ...{ successfulJobsHistoryLimit: 'int', failedJobsHistoryLimit: 'int' },
        jobTemplate: { object: { metadata, spec: { object: { backoffLimit: 'int', template } } } },
      },
    },
  },
}

/** Paths at which the value has another shape. */
function differences(value: unknown, shape: Shape | undefined, path: string): string[] {
  if (shape === undefined) return [`${path} is unknown`]
  if (shape === 'int') return Number.isInteger(value) ? [] : [`${path} is no integer`]
  if (typeof shape === 'string') return typeof value === shape ? [] : [`${path} is no ${shape}`]
  if ('list' in shape) {
    if (!Array.isArray(value)) return [`${path} is no list`]
    return value.flatMap((item, i) => differences(item, shape.list, `${path}[${i}]`))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path} is no object`]
  return Object.entries(value).flatMap(([key, item]) =>
    differences(item, 'map' in shape ? shape.map : shape.object[key], `${path}.${key}`),
  )
}

function check({ apiVersion, kind, metadata: named, ...rest }: Manifest): string[] {
  const shape = members[`${apiVersion} ${kind}`]
  if (!shape) return [`${apiVersion} ${kind} is unknown`]
  return [...differences(named, metadata, kind), ...differences(rest, { object: shape }, kind)]
}

const everything: Partial<KubernetesOptions> = {
  jobs: [{ collect: 'trivy-operator', time_zone: undefined, deprecated_apis: true }],
  ...{ ports: [80, 9000], caBundle: 'company-ca', isOpenshift: true, nodeLocalDns: '169.254.20.10', metricsPort: 9464 },
}

test.each(['deployment', 'cronjob'] as const)('the %s form follows the API', (form) => {
  expect([...toObjects({ form }), configSecret(options)].flatMap(check)).toEqual([])
  expect(toObjects({ ...everything, form }).flatMap(check)).toEqual([])
})

test('a Deployment is probed by a process, and jobs that end are not', () => {
  const toContainer = (object: ReturnType<typeof find>) =>
    (object.spec.jobTemplate ?? object).spec.template.spec.containers[0]
  expect(toContainer(find('Deployment')).livenessProbe.exec.command).toEqual(['relt', 'agent', 'status', '--probe'])
  expect(toContainer(find('CronJob', { form: 'cronjob' }))).not.toHaveProperty('livenessProbe')
})

test('a cluster that is not usual has options of its own', () => {
  const { spec } = find('Deployment', everything).spec.template
  expect(spec.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
  const [container] = spec.containers
  expect(container.env.at(-1)).toEqual({ name: 'RELT_CA_FILE', value: '/etc/relt-ca/ca.crt' })
  expect(container.volumeMounts.at(-1)).toEqual({ name: 'ca', mountPath: '/etc/relt-ca', readOnly: true })
  const { ingress, egress } = find('NetworkPolicy', everything).spec
  const toPorts = (rule: { ports: { port: number }[] }) => rule.ports.map(({ port }) => port)
  expect(ingress.map(toPorts)).toEqual([[9464]])
  expect(egress.map(toPorts)).toEqual([
    [5353, 5353],
    [53, 53],
    [443, 6443, 8443, 80, 9000],
  ])
  expect(egress[1].to).toEqual([{ ipBlock: { cidr: '169.254.20.10/32' } }])
  expect(find('PodMonitor', everything).spec.podMetricsEndpoints).toEqual([{ port: 'metrics', interval: '60s' }])
  expect(find('ClusterRole', everything).rules.at(-1)).toEqual({ nonResourceURLs: ['/metrics'], verbs: ['get'] })
  expect(find('PodMonitor')).toBeUndefined()
})

test('all objects have the labels by which kubectl prunes those of another form', () => {
  for (const { kind, metadata } of [...toObjects(everything), configSecret(options)]) {
    const { labels } = metadata as { labels: Record<string, string> }
    expect([kind, labels['app.kubernetes.io/name']]).toEqual([kind, 'relt-agent'])
  }
  expect(kustomization(kubernetesFiles(options), options)).toMatchObject({
    generatorOptions: { labels: { 'app.kubernetes.io/name': 'relt-agent' } },
  })
})

test('the check notices a wrong field', () => {
  const cronJob = find('CronJob', { form: 'cronjob' })
  expect(check({ ...cronJob, spec: { ...cronJob.spec, timezone: 'UTC', schedule: 5 } })).toEqual(
    ['CronJob.schedule is no string', 'CronJob.timezone is unknown'].map((text) =>
      text.replace('CronJob.', 'CronJob.spec.'),
    ),
  )
})

test('all objects of a namespace are in the chosen one', () => {
  const clusterWide = ['Namespace', 'ClusterRole', 'ClusterRoleBinding']
  for (const { kind, metadata } of toObjects({ namespace: 'ops' })) {
    const { namespace } = metadata as { namespace?: string }
    expect([kind, namespace]).toEqual([kind, clusterWide.includes(kind) ? undefined : 'ops'])
  }
  expect(find('ClusterRoleBinding', { namespace: 'ops' }).subjects[0].namespace).toBe('ops')
})

test('the pod meets the restricted pod security standard and leaves room for a clean stop', () => {
  const { spec } = find('Deployment').spec.template
  expect(find('Namespace').metadata.labels['pod-security.kubernetes.io/enforce']).toBe('restricted')
  expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
  expect(spec.containers[0].securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  expect(spec.terminationGracePeriodSeconds).toBe(30)
})

test('two pods never share the volume', () => {
  expect(find('Deployment').spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } })
  expect(find('CronJob', { form: 'cronjob' }).spec).toMatchObject({
    concurrencyPolicy: 'Forbid',
    startingDeadlineSeconds: 600,
    timeZone: 'Europe/Berlin',
  })
})

test('everything that is mounted is a volume, and the spool is on the claim', () => {
  const [container] = find('Deployment').spec.template.spec.containers
  const volumes = find('Deployment').spec.template.spec.volumes
  expect(container.volumeMounts.map(({ name }: { name: string }) => name)).toEqual(
    volumes.map(({ name }: { name: string }) => name),
  )
  const home = container.env.find(({ name }: { name: string }) => name === 'RELT_HOME').value
  expect(container.volumeMounts.find(({ mountPath }: { mountPath: string }) => mountPath === home).name).toBe('data')
  expect(volumes[0].persistentVolumeClaim.claimName).toBe(find('PersistentVolumeClaim').metadata.name)
})

test('the network policy lets out names, the API and the server, and nothing in', () => {
  const { ingress, egress, policyTypes } = find('NetworkPolicy').spec
  expect([ingress, policyTypes]).toEqual([[], ['Ingress', 'Egress']])
  expect(egress[0].ports.map(({ port }: { port: number }) => port)).toEqual([53, 53])
  expect(egress[1].ports.map(({ port }: { port: number }) => port)).toEqual([443, 6443, 8443])
})

test('the base lists each file once', () => {
  const files = kubernetesFiles(options)
  expect(kustomization(files, options)).toMatchObject({
    resources: ['namespace.yaml', 'access.yaml', 'network-policy.yaml', 'volume.yaml', 'deployment.yaml'],
    secretGenerator: [{ name: 'relt-agent-config', files: ['agent.yaml'] }],
  })
})

describe('access', () => {
  const toRules = (...jobs: JobSources[]) => rulesFor(accessFor(jobs))

  test('is read-only and never to secrets', () => {
    const rules = toRules({ profile: 'p' }, ...reportSources.map((collect) => ({ collect })))
    expect(rules.length).toBeGreaterThan(5)
    for (const { apiGroups, resources, verbs } of rules) {
      expect(verbs).toEqual(['list'])
      expect([...apiGroups, ...resources]).not.toContain('*')
      expect(resources).not.toContain('secrets')
    }
  })

  test('covers the kinds of an inventory', () => {
    const listed = toRules({ profile: 'p' }).flatMap(({ resources }) => resources)
    expect(listed).toEqual(
      expect.arrayContaining(['pods', 'deployments', 'statefulsets', 'daemonsets', 'cronjobs', 'jobs']),
    )
  })

  test('is listed once, whatever the order of the jobs', () => {
    const [scan, collected] = [{ profile: 'p' }, { collect: 'kubescape' }] as const
    const rules = toRules(collected, scan, collected)
    expect(rules).toEqual([...toRules(scan), ...reportRules.kubescape])
    expect(toRules(collected, collected)).toEqual([...inventoryRules, ...reportRules.kubescape])
  })

  test('of a profile has the kinds that the scanner asks for, and none that it does not', () => {
    const kinds = toRules({ profile: 'p' }).flatMap(({ apiGroups: [group], resources }) =>
      resources.map((plural) => (group === '' ? plural : `${plural}.${group}`)),
    )
    expect(kinds).toEqual(
      expect.arrayContaining(
        ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'].map(
          (kind) => `${kind}.admissionregistration.k8s.io`,
        ),
      ),
    )
    for (const kind of ['replicationcontrollers', 'csidrivers.storage.k8s.io', 'pods.metrics.k8s.io']) {
      expect(kinds).not.toContain(kind)
    }
  })

  test('can be wider or narrower by a kind', () => {
    const toKinds = (options: Parameters<typeof rulesFor>[1]) =>
      rulesFor(accessFor([{ profile: 'p' }]), options).map(({ apiGroups, resources }) =>
        [...apiGroups, ...resources].join(' '),
      )
    expect(toKinds({ with: ['secrets', 'certificates.cert-manager.io'] })).toEqual(
      expect.arrayContaining([' secrets', 'cert-manager.io certificates']),
    )
    expect(toKinds({ without: ['configmaps'] }).join()).not.toContain('configmaps')
    expect(toKinds({ without: ['nodes.metrics.k8s.io'] })).not.toContain('metrics.k8s.io nodes')
    // Another group has a kind of this name.
    expect(toKinds({ without: ['nodes'] })).toContain('metrics.k8s.io nodes')
    expect(unknownKinds(accessFor([{ profile: 'p' }]), ['configmap', 'configmaps'])).toEqual(['configmap'])
  })

  test('is for what the jobs read and no more', () => {
    const groups = toRules({ collect: 'policy-reports' }).flatMap(({ apiGroups }) => apiGroups)
    expect(groups).toEqual([
      ...['', 'apiextensions.k8s.io', 'apps', 'batch', 'argoproj.io', 'helm.cattle.io', 'helm.toolkit.fluxcd.io'],
      ...[
        'kustomize.toolkit.fluxcd.io',
        'multicluster.x-k8s.io',
        'source.toolkit.fluxcd.io',
        'wgpolicyk8s.io',
        'reports.x-k8s.io',
        'openreports.io',
      ],
    ])
    const watching = { watch: { folder: '/data/in', pattern: '*', keep: false } }
    expect(toRules(watching)).toEqual([])
    expect(toObjects({ jobs: [watching] }).some(({ kind }) => kind === 'ClusterRole')).toBe(false)
  })
})

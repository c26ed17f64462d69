export interface Manifest {
  apiVersion: string
  kind: string
  metadata: unknown
  [member: string]: unknown
}

/** Fields of the API that the objects may have: `object` has these, `list` holds such items, a word is a type. */
type Shape = { object: Record<string, Shape> } | { list: Shape } | { map: 'string' } | 'string' | 'int' | 'boolean'
const strings: Shape = { list: 'string' }
const map: Shape = { map: 'string' }
const metadata: Shape = { object: { name: 'string', namespace: 'string', labels: map, annotations: map } }
const selector: Shape = { object: { matchLabels: map } }
const ports: Shape = { list: { object: { protocol: 'string', port: 'int' } } }
const seconds: Record<string, Shape> = { initialDelaySeconds: 'int', periodSeconds: 'int', timeoutSeconds: 'int' }
const secretKeyRef: Shape = { object: { name: 'string', key: 'string' } }
const pod: Shape = {
  object: {
    ...{
      priorityClassName: 'string',
      nodeSelector: map,
      tolerations: { list: map },
      affinity: { object: { podAffinity: { object: {} } } },
    },
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
    imagePullSecrets: { list: { object: { name: 'string' } } },
    containers: {
      list: {
        object: {
          ...{ name: 'string', image: 'string', imagePullPolicy: 'string', args: strings },
          livenessProbe: {
            object: { ...seconds, failureThreshold: 'int', exec: { object: { command: strings } } },
          },
          ports: { list: { object: { name: 'string', containerPort: 'int' } } },
          env: {
            list: { object: { name: 'string', value: 'string', valueFrom: { object: { secretKeyRef } } } },
          },
          envFrom: { list: { object: { secretRef: { object: { name: 'string' } } } } },
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
  'v1 Secret': { type: 'string', stringData: map },
  'v1 ServiceAccount': { automountServiceAccountToken: 'boolean' },
  'v1 PersistentVolumeClaim': {
    spec: { object: { accessModes: strings, storageClassName: 'string', resources: { object: { requests: map } } } },
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

/** Fields of a manifest that the API does not know, or that have another type. */
export function wrongFields({ apiVersion, kind, metadata: named, ...rest }: Manifest): string[] {
  const shape = members[`${apiVersion} ${kind}`]
  if (!shape) return [`${apiVersion} ${kind} is unknown`]
  return [...differences(named, metadata, kind), ...differences(rest, { object: shape }, kind)]
}

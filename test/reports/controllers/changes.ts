import { type At, deployment, drawing, type KubeObject, pod, type podSpec, type Template } from './objects.ts'

/** A change that somebody made, and the checks whose findings come and go by it, each once. */
export interface RealChange {
  /** Which resources the findings are about. */
  about: RegExp
  make: (objects: KubeObject[], at: At) => KubeObject[]
  /** The controllers that it is about, beside workloads of lasting names. */
  of?: string[]
  came: string[]
  gone: string[]
}

const inPlain = (at: At): At => ({ ...at, namespace: 'plain', draw: drawing(`plain/${at.day}`) })
const ofContainer = ['SEC003', 'SEC006', 'SEC009', 'SEC011', 'SEC014', 'SEC020', 'SEC035', 'WRK026']
/** Each workload with an open template has these. */
const ofTemplate = ['SEC035', 'WRK005', 'WRK007', 'WRK014', 'WRK016', 'WRK017', 'WRK021']
/** SEC003 has a nameless row beside that of a container. */
const ofPod = [...ofContainer, 'SEC003', 'POD008', 'SEC015']
const bare = [...ofPod, 'POD010']

const isPod = ({ kind }: KubeObject) => kind === 'Pod'
const isOf = (namespace: string, stem: string) => (each: KubeObject) =>
  each.metadata.namespace === namespace && (each.metadata.name === stem || each.metadata.name.startsWith(`${stem}-`))

const without = (namespace: string, stem: string) => (objects: KubeObject[]) =>
  objects.filter((each) => !isOf(namespace, stem)(each))

/** Changes the template of a workload and its pods. */
const edited =
  (namespace: string, stem: string, edit: (spec: ReturnType<typeof podSpec>) => object) => (objects: KubeObject[]) =>
    objects.map((each) => {
      if (!isOf(namespace, stem)(each) || !each.spec) return each
      const spec = each.spec as { template?: { spec: ReturnType<typeof podSpec> } }
      if (isPod(each)) return { ...each, spec: edit(each.spec as ReturnType<typeof podSpec>) }
      return spec.template
        ? { ...each, spec: { ...spec, template: { ...spec.template, spec: edit(spec.template.spec) } } }
        : each
    })

const shell: Template = { image: 'alpine:3.20', container: 'shell', privileged: true }
const netshoot: Template = { image: 'nicolaka/netshoot:v0.13', container: 'debug' }
const probes = {
  readinessProbe: { httpGet: { path: '/ready', port: 1 } },
  livenessProbe: { httpGet: { path: '/live', port: 1 } },
}
const onHostNetwork = (spec: ReturnType<typeof podSpec>) => ({ ...spec, hostNetwork: true })
const ofHostNetwork = ['NET012', 'SEC002']

/** Real changes by name. */
export const realChanges: Record<string, RealChange> = {
  'a second privileged pod without a controller': {
    about: /^pod\/shell-/,
    make: (objects, at) => [...objects, pod(inPlain(at), 'shell-b', shell)],
    came: [...bare, 'SEC004'],
    gone: [],
  },
  'a pod debug-2 in place of debug-1': {
    about: /^pod\/debug-/,
    make: (objects, at) => [...without('plain', 'debug-1')(objects), pod(inPlain(at), 'debug-2', netshoot)],
    came: bare,
    gone: bare,
  },
  'a pod of the same template by another name': {
    about: /^pod\/(?:shell|probe)-/,
    make: (objects, at) => [...without('plain', 'shell-a')(objects), pod(inPlain(at), 'probe-z', shell)],
    came: [...bare, 'SEC004'],
    gone: [...bare, 'SEC004'],
  },
  'a new container without limits': {
    about: /\/web\b/,
    make: edited('plain', 'web', (spec) => ({
      ...spec,
      containers: [...spec.containers, { name: 'proxy', image: 'registry.example.com/proxy:1.4.2' }],
    })),
    came: [...ofContainer, 'SEC035', 'WRK005', 'WRK007', 'WRK014'],
    gone: [],
  },
  'probes are added': {
    about: /\/mailer\b/,
    make: edited('plain', 'mailer', ({ containers, ...spec }) => ({
      ...spec,
      containers: containers.map((each) => ({ ...each, ...probes })),
    })),
    came: [],
    gone: ['WRK007'],
  },
  'a removed workload': {
    about: /\/cache\b/,
    make: without('plain', 'cache'),
    came: [],
    gone: [...ofPod, ...ofTemplate, 'WRK027'],
  },
  'a renamed workload': {
    about: /\/(?:mailer|postman)\b/,
    make: (objects, at) => [
      ...without('plain', 'mailer')(objects),
      ...deployment(inPlain(at), 'postman', { image: 'shop/mailer:1.9', container: 'mailer' }),
    ],
    came: [...ofPod, ...ofTemplate],
    gone: [...ofPod, ...ofTemplate],
  },
  'a workload moves to another namespace': {
    about: /\/mailer\b/,
    make: (objects, at) => [
      ...without('plain', 'mailer')(objects),
      ...deployment({ ...inPlain(at), namespace: 'other' }, 'mailer', {
        image: 'shop/mailer:1.9',
        container: 'mailer',
      }),
    ],
    came: [...ofPod, ...ofTemplate],
    gone: [...ofPod, ...ofTemplate],
  },
  'Jobs of a generated name use the host network': {
    of: ['KEDA ScaledJob'],
    about: /^pod\/consumer-/,
    make: edited('keda-jobs', 'consumer', onHostNetwork),
    came: ofHostNetwork,
    gone: [],
  },
  'a monitor that takes over uses the host network': {
    of: ['Rook: failover of a monitor'],
    about: /^pod\/rook-ceph-mon-/,
    make: edited('rook-mon', 'rook-ceph-mon-d', onHostNetwork),
    came: ofHostNetwork,
    gone: [],
  },
  'a new version loses its limits': {
    of: ['Temporal worker versions'],
    about: /^deployment\/checkout-worker-/,
    make: edited('temporal', 'checkout-worker', ({ containers, ...spec }) => ({
      ...spec,
      containers: containers.map((each) => ({ ...each, resources: {} })),
    })),
    came: ['WRK005', 'WRK014'],
    gone: [],
  },
  'the daemon of a lasting node crashes': {
    of: ['Rook: daemons per node'],
    about: /^pod\/rook-ceph-exporter-/,
    make: (objects) =>
      objects.map((each) => {
        if (!isPod(each) || !isOf('rook-ceph', 'rook-ceph-exporter-host-a1.example.net')(each)) return each
        const status = each.status as { containerStatuses: object[] }
        const state = { waiting: { reason: 'CrashLoopBackOff' } }
        const containerStatuses = status.containerStatuses.map((one) => ({ ...one, state }))
        return { ...each, status: { ...status, containerStatuses } }
      }),
    came: ['POD005', 'WRK013'],
    gone: [],
  },
  'a dated Job is removed for good': {
    of: ['dated Job'],
    about: /\/report\b/,
    make: without('reports', 'report'),
    came: [],
    gone: ofPod,
  },
  'a node is not ready': {
    about: /^node\//,
    make: (objects, { nodes }) =>
      objects.map((each) =>
        each.kind === 'Node' && each.metadata.name === nodes[0]
          ? { ...each, status: { conditions: [{ type: 'Ready', status: 'False' }] } }
          : each,
      ),
    came: ['NODE001'],
    gone: [],
  },
}

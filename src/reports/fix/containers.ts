import { dryRun, type FixDraft, type Fixes } from './draft.ts'
import { asName } from './place.ts'

const userId = (draft: FixDraft) =>
  draft.fill('USER_ID', 'a numeric user id other than 0 that the image can run as, such as 10001')

const mayFail = 'A container whose image needs root does not start after this. Try it outside production first.'

/** Settings that differ from what the check requires. A row without flags has none of them. */
function missingDefaults(draft: FixDraft) {
  const flags = `${draft.value}, ${draft.message}`
  const isSet = (name: string, wanted: boolean) => new RegExp(`${name}: ?${wanted}\\b`, 'i').test(flags)
  const wanted = { runAsNonRoot: true, readOnlyRootFilesystem: true, allowPrivilegeEscalation: false }
  return Object.fromEntries(Object.entries(wanted).filter(([name, value]) => !isSet(name, value)))
}

/**
 * Repository of an image without its registry and tag: `grafana/grafana:10.1.1` → `grafana/grafana`. Undefined if the
 * reference is invalid.
 */
function pathOfImage(reference: string) {
  if (!/^[\w][\w./:@-]{0,500}$/.test(reference)) return undefined
  const [first = '', ...rest] = reference.split('/')
  return rest.length > 0 && /[.:]|^localhost$/.test(first) ? rest.join('/') : reference
}

/** The image of a row, from its value or its own column. */
const toImage = ({ value }: FixDraft) =>
  /(?:^|, )Image: (\S+?)(?:,|$)/.exec(value)?.[1] ?? (/^\S+$/.test(value) ? value : '')

function setImage(draft: FixDraft, words: string, image: string) {
  draft.inNamespace(words, 'set', 'image', draft.workload, `${draft.container()}=${image}`, dryRun)
}

function pinTag(draft: FixDraft) {
  const path = /^[\w][\w./:-]*$/.test(toImage(draft)) ? toImage(draft).replace(/:[\w.-]*$/, '') : undefined
  const image = path ?? draft.fill('IMAGE', 'the image without its tag')
  setImage(draft, 'Set a version', `${image}:${draft.fill('VERSION', 'the version that should run, such as 1.27.3')}`)
}

function moveRegistry(draft: FixDraft) {
  const image = pathOfImage(toImage(draft)) ?? draft.fill('IMAGE', 'the image without its registry')
  const registry = draft.fill('REGISTRY', 'a registry that you trust and that has a copy of the image')
  setImage(draft, 'Pull the image from a trusted registry', `${registry}/${image}`)
  draft.caution(
    'If you trust the registry, add it to trusted_registries of the scan profile instead: relt profiles edit.',
  )
}

function pinDigest(draft: FixDraft) {
  const image = /^[\w][\w./:-]*$/.test(toImage(draft)) ? toImage(draft) : draft.fill('IMAGE', 'the image with its tag')
  const all = '.items[*].status.containerStatuses[*]'
  draft.inNamespace(
    'Find the container and the digest that runs',
    'get',
    'pods',
    '-o',
    `jsonpath={range ${all}}{.name}{"  "}{.image}{"  "}{.imageID}{"\\n"}{end}`,
  )
  const digest = draft.fill('DIGEST', 'the 64 hexadecimal digits behind sha256: in the last column')
  setImage(draft, 'Pin the image to its digest', `${image}@sha256:${digest}`)
}

function setResources(draft: FixDraft, missing: { requests: string[]; limits: string[] }) {
  const amounts = (kind: 'REQUEST' | 'LIMIT', names: string[]) =>
    names
      .map((name) => {
        const placeholder = `${name.replace('-storage', '').toUpperCase()}_${kind}`
        return `${name}=${draft.fill(placeholder, exampleFor[name] ?? 'an amount')}`
      })
      .join(',')
  const requests = amounts('REQUEST', missing.requests)
  const limits = amounts('LIMIT', missing.limits)
  const options = [...(requests ? [`--requests=${requests}`] : []), ...(limits ? [`--limits=${limits}`] : [])]
  if (options.length === 0) return
  const workload = draft.workload
  draft.inNamespace(
    'Set what the container needs, from what it used in the last days',
    'set',
    'resources',
    workload,
    '-c',
    draft.container({ isValue: true }),
    ...options,
    dryRun,
  )
}

const exampleFor: Record<string, string> = {
  cpu: 'an amount of CPU, such as 100m',
  memory: 'an amount of memory, such as 256Mi',
  'ephemeral-storage': 'an amount of storage on the node, such as 1Gi',
}

const toText = ({ message, value }: FixDraft) => `${message}, ${value}`

/** The value of WRK007 is a container, and its message names the missing probe. */
function addProbes(draft: FixDraft) {
  const missing = ['readiness', 'liveness'].filter((probe) => toText(draft).includes(probe))
  const httpGet = {
    path: draft.fill('/PATH', 'the path that answers 200 while the container is healthy, such as /healthz'),
    port: draft.fill('PORT', 'the number of the port that answers'),
  }
  const probes = Object.fromEntries(
    (missing.length > 0 ? missing : ['readiness', 'liveness']).map((probe) => [
      `${probe}Probe`,
      { httpGet, ...(probe === 'liveness' && { failureThreshold: 6 }) },
    ]),
  )
  draft.patchContainer('Add the missing probes', probes, { isValue: true })
  draft.caution('Use tcpSocket, grpc or exec instead of httpGet if the container does not answer HTTP.')
}

function removeVolume(draft: FixDraft) {
  const volume = toVolume(draft)
  const workload = draft.workload
  const spec = draft.place.workload?.kind === 'cronjob' ? '.spec.jobTemplate.spec.template.spec' : '.spec.template.spec'
  const mounts = `{range ${spec}.containers[*]}{.name}{"  "}{.volumeMounts[?(@.name=="${volume}")].mountPath}{"\\n"}{end}`
  draft.inNamespace('See which containers mount the volume', 'get', workload, '-o', `jsonpath=${mounts}`)
  const mountPath = draft.fill('/MOUNT_PATH', 'the path in the container, from the first command')
  draft.fill('CONTAINER', 'the container that mounts the volume')
  draft.patchPods('Remove the volume and its mount, if the workload does not need it', {
    volumes: [{ name: volume, $patch: 'delete' }],
    containers: [{ name: 'CONTAINER', volumeMounts: [{ mountPath, $patch: 'delete' }] }],
  })
  draft.caution('A node agent may need it. Then accept the finding: relt exceptions add.')
}

function toVolume(draft: FixDraft) {
  const { message, value } = draft
  const named =
    /(?:hostPath|emptyDir) volume (\S+) (?:used|mounts)/i.exec(message)?.[1] ?? /Volume: ([^,]+)/.exec(value)?.[1]
  return asName(named) ?? draft.fill('VOLUME', 'the name of the volume, which the report does not name')
}

function claimVolume(draft: FixDraft) {
  const claimName = draft.fill('CLAIM', 'a PersistentVolumeClaim of the namespace')
  draft.patchPods('Replace the emptyDir by a claim, if the data has to outlive the pod', {
    volumes: [
      { $retainKeys: ['name', 'persistentVolumeClaim'], name: toVolume(draft), persistentVolumeClaim: { claimName } },
    ],
  })
  draft.caution('An emptyDir is right for data that can be lost. Then accept the finding: relt exceptions add.')
}

/** `Secret db exposed via env var in container app`, `env: DB_PASSWORD`. */
function mountSecret(draft: FixDraft) {
  const secretName = asName(/^Secret (\S+) exposed/.exec(draft.message)?.[1])
  const variable = /env: ([A-Za-z_]\w{0,200})$/.exec(draft.value)?.[1]
  const secret = secretName ?? draft.fill('SECRET', 'the name of the Secret')
  const mountPath = draft.fill(
    '/MOUNT_PATH',
    'the folder in which the container reads the Secret, such as /etc/secrets',
  )
  draft.patchContainer(
    'Mount the Secret as files and remove the variable',
    {
      volumeMounts: [{ name: 'relt-secret', mountPath, readOnly: true }],
      env: [{ name: variable ?? draft.fill('VARIABLE', 'the name of the variable'), $patch: 'delete' }],
    },
    { podSpec: { volumes: [{ name: 'relt-secret', secret: { secretName: secret } }] } },
  )
  draft.caution('The application has to read the file first. Deploy that change before or with this one.')
}

function dropAdded(draft: FixDraft) {
  draft.patchContainer('Remove the added capabilities', { securityContext: { capabilities: { add: null } } })
  const added = /^(?:.*Capabilities: )?([A-Z_]+(?:, [A-Z_]+)*)$/.exec(draft.value)?.[1]
  draft.caution(
    `If the container needs one of them${added ? ` (${added})` : ''}, list those instead of null: ["NET_BIND_SERVICE"].`,
  )
}

function removeHostPort(draft: FixDraft) {
  const port = draft.fill('CONTAINER_PORT', 'the containerPort beside the hostPort')
  draft.patchContainer('Remove the hostPort', { ports: [{ containerPort: port, hostPort: null }] })
  draft.caution('Clients that use the port of the node need a Service before.')
}

/** Checks about containers and pods: their fix is in the pod template. */
export const containerFixes: Fixes = {
  SEC002: (draft) => {
    const set = ['hostPID', 'hostNetwork', 'hostIPC'].filter((name) =>
      new RegExp(`${name}=true`, 'i').test(draft.value),
    )
    if (set.length === 0) return
    draft.patchPods('Leave the namespaces of the host', Object.fromEntries(set.map((name) => [name, false])))
  },
  SEC003: (draft) => {
    const securityContext = { runAsNonRoot: true, runAsUser: userId(draft) }
    // A user set on the container overrides that of the pod.
    if (/^0\b|UID: 0/.test(draft.value)) draft.patchContainer('Run the container as another user', { securityContext })
    else draft.patchPods('Run all containers of the pod as another user', { securityContext })
    draft.caution(mayFail)
  },
  SEC004: (draft) => {
    draft.patchContainer('Turn off privileged mode', { securityContext: { privileged: false } })
    draft.caution('A node agent may need it. Then accept the finding: relt exceptions add.')
  },
  SEC005: (draft) => draft.patchPods('Leave the IPC namespace of the host', { hostIPC: false }),
  SEC006: (draft) => {
    const securityContext = missingDefaults(draft)
    if (Object.keys(securityContext).length === 0) return
    draft.patchContainer('Set the missing defaults', { securityContext })
    if (securityContext.runAsNonRoot) draft.caution(mayFail)
    if (!securityContext.readOnlyRootFilesystem) return
    draft.caution('With readOnlyRootFilesystem, each folder that the container writes to needs an emptyDir.')
  },
  SEC008: mountSecret,
  SEC009: (draft) => {
    const securityContext = { capabilities: { drop: ['ALL'] } }
    draft.patchContainer('Drop all capabilities', { securityContext }, { isValue: true })
    draft.caution('Add back only those that the container needs: "add":["NET_BIND_SERVICE"].')
  },
  SEC010: removeVolume,
  SEC011: (draft) => {
    const securityContext = { runAsNonRoot: true, runAsUser: userId(draft) }
    draft.patchContainer('Run the container as another user', { securityContext })
    draft.caution(mayFail)
  },
  SEC012: dropAdded,
  SEC013: claimVolume,
  SEC014: moveRegistry,
  SEC015: (draft) => {
    const serviceAccountName = draft.fill('SERVICE_ACCOUNT', 'the name of the new ServiceAccount')
    draft.inNamespace(
      'Create a ServiceAccount for the workload alone',
      'create',
      'serviceaccount',
      serviceAccountName,
      dryRun,
    )
    draft.patchPods('Use it', { serviceAccountName })
  },
  SEC020: (draft) =>
    draft.patchPods('Use the seccomp profile of the container runtime for all containers of the pod', {
      securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
    }),
  SEC021: removeHostPort,
  SEC029: removeVolume,
  SEC035: pinDigest,
  NET012: (draft) => draft.patchPods('Leave the network of the host', { hostNetwork: false }),
  POD007: pinTag,
  POD008: (draft) => {
    draft.patchPods('Do not mount the token', { automountServiceAccountToken: false })
    draft.caution('A workload that calls the Kubernetes API needs the token.')
  },
  WRK005: (draft) => {
    const names = ['cpu', 'memory'].filter((name) => new RegExp(`${name} request`, 'i').test(toText(draft)))
    setResources(draft, { requests: names, limits: [] })
  },
  WRK007: addProbes,
  WRK014: (draft) => setResources(draft, { requests: [], limits: ['memory'] }),
  WRK025: (draft) => {
    const failureThreshold = draft.fill('FAILURES', 'more failures than the readinessProbe allows, such as 6')
    draft.patchContainer(
      'Let the liveness probe fail later than the readiness probe',
      { livenessProbe: { failureThreshold } },
      { isValue: true },
    )
  },
  WRK026: (draft) => {
    const amount = (kind: string) => (draft.message.includes(`${kind}.ephemeral-storage`) ? ['ephemeral-storage'] : [])
    setResources(draft, { requests: amount('requests'), limits: amount('limits') })
  },
}

import { dryRun, type FixDraft, type Fixes } from './draft.ts'
import { asName, splitResource } from './place.ts'

/** Objects that Kubernetes and its add-ons need or recreate. */
const ofCluster = /^(?:default$|kube-root-ca\.crt$|system:)/

const clusterWide = /^(?:cluster|namespace$|storageclass$|persistentvolume$|pv$)/

/** Prints the object first, as a backup, then deletes it. */
function deleteUnused(kind: string): (draft: FixDraft) => void {
  return (draft) => {
    const { place } = draft
    const resource = `${place.kind ?? kind}/${draft.name}`
    const scope = clusterWide.test(place.kind ?? kind) ? [] : ['-n', draft.namespace]
    draft.step('Look at it, and save a copy', [...scope, 'get', resource, '-o', 'yaml'])
    if (place.name !== undefined && ofCluster.test(place.name)) {
      draft.caution('Kubernetes needs it or makes it again. Accept the finding: relt exceptions add.')
      return
    }
    draft.step('Delete it, if nothing uses it', [...scope, 'delete', resource, dryRun])
    draft.caution('The scanner sees neither other clusters nor Git: something there may use it.')
  }
}

function narrowBinding(draft: FixDraft) {
  deleteUnused('clusterrolebinding')(draft)
  draft.caution('Before that, bind the subject to a role with only the verbs and resources that it needs.')
}

function showRights(draft: FixDraft) {
  const account = asName(draft.value) ?? draft.fill('SERVICE_ACCOUNT', 'the ServiceAccount of the pod')
  const subject = `system:serviceaccount:${draft.namespace}:${account}`
  draft.inNamespace('See what the ServiceAccount may do', 'auth', 'can-i', '--list', `--as=${subject}`)
  draft.patchPods('Do not mount its token, if the workload does not call the Kubernetes API', {
    automountServiceAccountToken: false,
  })
}

function patchService(draft: FixDraft) {
  const service = `service/${draft.name}`
  draft.inNamespace('See the ports of the Service, and its selector', 'get', service, '-o', 'yaml')
  const port = draft.fill('PORT', 'the port of the Service, a number')
  const targetPort = draft.fill('TARGET_PORT', 'the number on which the container listens')
  draft.patch('Send the port to one on which the pods listen', service, { spec: { ports: [{ port, targetPort }] } })
}

function showEndpoints(draft: FixDraft) {
  const { namespace, name } = draft
  draft.step('Read which labels the Service selects', [
    '-n',
    namespace,
    'get',
    `service/${name}`,
    '-o',
    'jsonpath={.spec.selector}',
  ])
  draft.step('Compare them to the labels of the pods, and see which pods are ready', [
    '-n',
    namespace,
    'get',
    'pods',
    '--show-labels',
  ])
}

function hideService(draft: FixDraft) {
  const patch = { spec: { type: 'ClusterIP' } }
  draft.patch('Make the Service reachable inside the cluster only', `service/${draft.name}`, patch)
  draft.caution('Clients outside lose it. Give them an Ingress or a Gateway first, or accept the finding.')
}

function mendIngress(draft: FixDraft) {
  const ingress = `ingress/${draft.name}`
  if (/missing ingress class/i.test(draft.message)) {
    draft.step('See which classes exist', ['get', 'ingressclasses'])
    draft.patch('Set the class', ingress, { spec: { ingressClassName: draft.fill('CLASS', 'one of them') } }, 'merge')
    return
  }
  if (/TLS secret not found/i.test(draft.message)) {
    const secret = asName(draft.value) ?? draft.fill('SECRET', 'the name of the Secret')
    const [cert, key] = [draft.fill('CERT_FILE', 'the certificate'), draft.fill('KEY_FILE', 'its private key')]
    draft.inNamespace(
      'Create the Secret that it names',
      'create',
      'secret',
      'tls',
      secret,
      `--cert=${cert}`,
      `--key=${key}`,
      dryRun,
    )
    return
  }
  draft.inNamespace('See what it refers to', 'describe', ingress)
}

function mendScaler(draft: FixDraft) {
  const scaler = `hpa/${draft.name}`
  draft.inNamespace('See its conditions', 'describe', scaler)
  const [kind, name] = splitResource(/(?:^|: )([A-Za-z]+\/[^,\s]+)$/.exec(draft.value)?.[1])
  if (/target not found/i.test(draft.message)) {
    const scaleTargetRef = { name: draft.fill('TARGET', 'the workload that it should scale') }
    draft.patch('Let it scale a workload that exists', scaler, { spec: { scaleTargetRef } }, 'merge')
  } else if (kind && name) {
    draft.inNamespace('See whether the pods have metrics; the containers need CPU or memory requests', 'top', 'pods')
  }
}

/** Fixes for checks about objects other than workloads. */
export const objectFixes: Fixes = {
  CFG001: deleteUnused('configmap'),
  SEC001: deleteUnused('secret'),
  PVC001: deleteUnused('persistentvolumeclaim'),
  RBAC003: deleteUnused('serviceaccount'),
  RBAC004: deleteUnused('role'),
  // A binding without its role or subjects has no effect.
  RBAC001: deleteUnused('rolebinding'),
  RBAC002: narrowBinding,
  RBAC007: narrowBinding,
  RBAC010: showRights,
  SEC018: (draft) => {
    const patch = { automountServiceAccountToken: false }
    draft.patch('Do not mount the token', `serviceaccount/${draft.name}`, patch, 'merge')
    draft.caution('A pod that calls the Kubernetes API needs automountServiceAccountToken: true in its own spec.')
  },
  NET001: showEndpoints,
  NET002: hideService,
  NET003: mendIngress,
  NET007: patchService,
  NET020: (draft) => {
    draft.step('See which Ingresses have to move to another controller', ['get', 'ingresses', '--all-namespaces'])
    draft.step('See which classes exist', ['get', 'ingressclasses'])
  },
  WRK004: mendScaler,
  WRK028: mendScaler,
}

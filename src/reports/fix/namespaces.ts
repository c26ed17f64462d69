import { dryRun, type FixDraft, type Fixes } from './draft.ts'

/** Namespaces that Kubernetes needs and recreates. */
const ofKubernetes = /^(?:default|kube-.*)$/

const policyFor = (draft: FixDraft, name: string, spec: object): Record<string, unknown> => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name, namespace: draft.namespace },
  spec,
})

const metadataAddresses = { v4: '169.254.169.254/32', v6: 'fd00:ec2::254/128' }

function blockMetadata(draft: FixDraft) {
  const [v4, v6] = [
    { ipBlock: { cidr: '0.0.0.0/0', except: [metadataAddresses.v4] } },
    { ipBlock: { cidr: '::/0', except: [metadataAddresses.v6] } },
  ]
  const spec = { podSelector: {}, policyTypes: ['Egress'], egress: [{ to: [{ namespaceSelector: {} }, v4, v6] }] }
  draft.apply('Allow everything but the metadata address', policyFor(draft, 'block-cloud-metadata', spec))
  draft.caution('Workloads that get their cloud identity from the metadata address need a policy of their own.')
}

function deleteEmpty(draft: FixDraft) {
  draft.inNamespace('See what is left in it', 'get', 'all,configmaps,secrets,persistentvolumeclaims')
  if (ofKubernetes.test(draft.namespace)) return
  draft.step('Delete the namespace with everything in it, if nobody needs it', [
    'delete',
    'namespace',
    draft.namespace,
    dryRun,
  ])
}

/** Fixes for checks about namespaces. */
export const namespaceFixes: Fixes = {
  SEC007: (draft) => {
    const level = draft.fill('LEVEL', 'baseline or restricted')
    draft.step('Enforce a Pod Security Standard; the dry run names the pods that would break it', [
      'label',
      'namespace',
      draft.namespace,
      `pod-security.kubernetes.io/enforce=${level}`,
      '--overwrite',
      dryRun,
    ])
  },
  NS001: deleteEmpty,
  NS002: (draft) => {
    const cpu = draft.fill('CPU', 'the CPU that all pods may request, such as 8')
    const memory = draft.fill('MEMORY', 'the memory that all pods may request, such as 16Gi')
    const pods = draft.fill('PODS', 'the number of pods')
    const hard = `--hard=requests.cpu=${cpu},requests.memory=${memory},pods=${pods}`
    draft.inNamespace('See which quotas there are', 'get', 'resourcequotas')
    draft.inNamespace('Create a quota', 'create', 'quota', 'compute', hard, dryRun)
    draft.caution('From then on, pods without requests are refused, unless a LimitRange sets them.')
  },
  NS003: (draft) => {
    const cpu = draft.fill('CPU', 'the CPU that a container requests if it says nothing, such as 100m')
    const memory = draft.fill('MEMORY', 'the memory that it requests, such as 128Mi')
    const limit = draft.fill('MEMORY_LIMIT', 'the memory that it may use, such as 512Mi')
    const limits = [{ type: 'Container', defaultRequest: { cpu, memory }, default: { memory: limit } }]
    draft.apply('Create defaults for containers that say nothing', {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'defaults', namespace: draft.namespace },
      spec: { limits },
    })
  },
  NS004: (draft) => {
    const target = draft.fill('NEW_NAMESPACE', 'the namespace in which it belongs')
    draft.step('Create the namespace', ['create', 'namespace', target, dryRun])
    draft.inNamespace('Take the definition of the workload, to apply it there', 'get', draft.workload, '-o', 'yaml')
    draft.caution('An object cannot move. Take along what it uses: ConfigMaps, Secrets, claims and Services.')
  },
  NET004: (draft) => {
    const spec = { podSelector: {}, policyTypes: ['Ingress'] }
    draft.apply('Deny incoming connections unless another policy allows them', policyFor(draft, 'default-deny', spec))
    draft.caution('First add the policies that allow what the pods need: without them, nothing reaches the pods.')
  },
  NET021: blockMetadata,
}

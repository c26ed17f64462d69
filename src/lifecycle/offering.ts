import { offeringNames } from '../contract/choices.ts'

/** Parts of a Kubernetes version that identify the offering, as clusters report them. The first match counts. */
const forms: [id: string, pattern: RegExp][] = [
  // EKS Distro, which EKS Anywhere runs, has numbers where EKS has a hash.
  ['eks-distro', /-eks-\d+-\d+-/],
  ['eks', /-eks-/],
  ['gke', /-gke\./],
  ['aks', /-akslts\b/],
  ['ack', /-aliyun\./],
  ['k3s', /\+k3s/],
  ['rke2', /\+rke2/],
  ['k0s', /\+k0s/],
  ['iks', /\+IKS\b/],
]

/** Other names of an offering. */
const names: Readonly<Record<string, string>> = {
  'alibaba-ack': 'ack',
  'amazon-eks': 'eks',
  'azure-kubernetes-service': 'aks',
  'google-kubernetes-engine': 'gke',
  'red-hat-openshift': 'openshift',
}

/**
 * Id of the managed offering or distribution of a Kubernetes version: by the version, such as `v1.33.10-eks-ba2e9a1`, else
 * by the provider's name. Undefined for Kubernetes itself and for unknown names.
 */
export function offeringFor(version: string | null, provider?: string | null) {
  const named = forms.find(([, pattern]) => pattern.test(version ?? ''))?.[0]
  if (named !== undefined) return named
  const name = provider?.trim().toLowerCase() ?? ''
  const id = Object.hasOwn(names, name) ? names[name]! : name
  return Object.hasOwn(offeringNames, id) ? id : undefined
}

/** Offerings whose own releases are a project in the catalog, with their id as slug. */
export const distributionIds: readonly string[] = ['k0s', 'k3s', 'rke2']

/** `EKS` */
export const offeringTitle = (id: string) => (Object.hasOwn(offeringNames, id) ? offeringNames[id]! : id)

/** The first provider in several scans of a cluster, other than `kubernetes` if there is one. */
export function namedProvider(providers: readonly (string | null)[]) {
  const named = providers.filter((provider) => provider !== null)
  return named.find((provider) => provider !== 'kubernetes') ?? named[0] ?? null
}

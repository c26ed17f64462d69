/** API groups whose CustomResourceDefinitions state the version of the project that serves them. */
export interface ControlledGroup {
  isOf: (group: string) => boolean
  /** The label or annotation with the version. */
  mark: string
  /** Slug of the project; null if no controller has that version. */
  project: string | null
  /** Matches the last part of the controller's image name. */
  image: RegExp
  /** Command that applies a definition of a version, as the project documents. */
  command?: (version: string, name: string) => string | undefined
}

const is =
  (...groups: string[]) =>
  (group: string): boolean =>
    groups.includes(group)

/** Validates a version that is inserted into a URL and a command. */
const release = (version: string): string | undefined =>
  /^v?(\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)\.?\d+)?)$/.exec(version)?.[1]

export const controlledGroups: readonly ControlledGroup[] = [
  {
    // https://cert-manager.io/docs/installation/upgrade/
    isOf: is('cert-manager.io', 'acme.cert-manager.io'),
    mark: 'app.kubernetes.io/version',
    project: 'cert-manager',
    image: /^cert-manager(?:-controller)?$/,
    command: (version) => {
      const of = release(version)
      const file = `https://github.com/cert-manager/cert-manager/releases/download/v${of}/cert-manager.crds.yaml`
      return of && `kubectl apply -f ${file}`
    },
  },
  {
    // https://github.com/prometheus-community/helm-charts/blob/main/charts/kube-prometheus-stack/UPGRADE.md
    isOf: is('monitoring.coreos.com'),

    mark: 'operator.prometheus.io/version',
    project: 'prometheus-operator',
    image: /^prometheus-operator$|-prometheus-operator$/,
    command: (version, name) => {
      const [of, plural] = [release(version), /^([a-z]+)\.monitoring\.coreos\.com$/.exec(name)?.[1]]
      const folder = `https://raw.githubusercontent.com/prometheus-operator/prometheus-operator/v${of}/example/prometheus-operator-crd`
      return of && plural && `kubectl apply --server-side -f ${folder}/monitoring.coreos.com_${plural}.yaml`
    },
  },
  {
    isOf: (group) => /(?:^|\.)istio\.io$/.test(group),
    mark: 'app.kubernetes.io/version',
    project: 'istio',
    image: /^pilot$/,
  },
  {
    isOf: is('gateway.networking.k8s.io', 'gateway.networking.x-k8s.io'),
    mark: 'gateway.networking.k8s.io/bundle-version',
    project: null,
    image: /^$/,
  },
]

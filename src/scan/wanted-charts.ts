import { isExactVersion } from '../util/exact-version.ts'
import type { Metadata } from './helm-labels.ts'
import { word } from './helm-labels.ts'
import { type ChartSource, type InventoryWanted, resolveSource, type WantedBySource } from './wanted.ts'

/** Charts that GitOps objects ask for, collected from objects in any order. */
export class WantedCharts {
  readonly #found = new Map<string, InventoryWanted | WantedBySource>()
  readonly #sources = new Map<string, ChartSource>()
  #resolved: InventoryWanted[] | undefined
  #byRelease = new Map<string, InventoryWanted[]>()
  #byName = new Map<string, InventoryWanted[]>()

  add(found: (InventoryWanted | WantedBySource)[]) {
    // An object that is listed again replaces its earlier version.
    found.forEach((one, index) => {
      this.#found.set(`${one.kind}/${one.namespace}/${one.name}/${index}`, one)
    })
  }

  addSource(source: ChartSource | undefined) {
    if (source) this.#sources.set(source.key, source)
  }

  /** All wanted charts. Call it after the last was added. */
  all(): InventoryWanted[] {
    if (this.#resolved) return this.#resolved
    this.#resolved = [...this.#found.values()].map((one) =>
      'sourceKey' in one ? resolveSource(one, this.#sources) : one,
    )
    const charts = this.#resolved.filter(({ chart }) => chart !== null)
    this.#byRelease = Map.groupBy(charts, ({ releaseNamespace, releaseName }) => `${releaseNamespace}/${releaseName}`)
    this.#byName = Map.groupBy(charts, ({ kind, namespace, name }) =>
      kind === 'Application' ? `Application/${name}` : `${kind}/${namespace}/${name}`,
    )
    return this.#resolved
  }

  /** The chart of a Helm release. */
  ofRelease(namespace: string, release: string | undefined) {
    this.all()
    return only(release === undefined ? undefined : this.#byRelease.get(`${namespace}/${release}`))
  }

  /** The chart that created an object, by the labels and annotations of its tool. */
  ofObject({ labels, annotations }: Metadata): InventoryWanted | undefined {
    this.all()
    const name = word(labels['helm.toolkit.fluxcd.io/name'])
    const namespace = word(labels['helm.toolkit.fluxcd.io/namespace'])
    if (name !== undefined && namespace !== undefined) return only(this.#byName.get(`HelmRelease/${namespace}/${name}`))
    const tracked = word(annotations['argocd.argoproj.io/tracking-id'])?.split(':', 1)[0]?.split('_').at(-1)
    const application = tracked ?? word(labels['argocd.argoproj.io/instance'])
    return application === undefined ? undefined : only(this.#byName.get(`Application/${application}`))
  }
}

/** If an object has several charts, it is unknown which created it. */
const only = (all: InventoryWanted[] | undefined) => (all?.length === 1 ? all[0] : undefined)

/** The running version, or else the wanted one if it is exact. */
export function chartOfWanted({ chart, version, running }: InventoryWanted) {
  const known = running ?? (version !== null && isExactVersion(version) ? version : undefined)
  return chart !== null && known !== undefined ? { name: chart, version: known } : undefined
}

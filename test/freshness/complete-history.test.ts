import { expect, test } from 'vitest'
import { bundledCatalog } from '../../src/catalog/bundled.ts'
import { bundledStateFacts } from '../../src/catalog/state-facts.ts'
import { StateFacts } from '../../src/freshness/facts/state-facts.ts'

import { parseVersion } from '../../src/freshness/versions.ts'
import { assessFreshness } from './assess-freshness.ts'
import { bundledView } from './bundled-view.ts'
import { now } from './catalog.ts'

/** Projects with whole histories, and with plain versions of three numbers. */
const wanted: Record<string, string> = {
  'argo-cd': 'quay.io/argoproj/argocd',
  'cert-manager': 'quay.io/jetstack/cert-manager-controller',
  consul: 'docker.io/hashicorp/consul',
  envoy: 'docker.io/envoyproxy/envoy',
  etcd: 'registry.k8s.io/etcd',
  haproxy: 'docker.io/library/haproxy',
  istio: 'docker.io/istio/pilot',
  kubernetes: 'registry.k8s.io/kube-apiserver',
  prometheus: 'quay.io/prometheus/prometheus',
  rabbitmq: 'docker.io/library/rabbitmq',
  redis: 'docker.io/library/redis',
  vault: 'docker.io/hashicorp/vault',
}

const { releases, history } = bundledCatalog()
const facts = new StateFacts(bundledStateFacts())
const view = bundledView(new Map())

/** Reads versions by itself, so that a mistake of the program is not repeated here. */
const toNumbers = (version: string) => {
  const plain = /^v?(\d+)\.(\d+)\.(\d+)$/.exec(version)
  return plain && [Number(plain[1]), Number(plain[2]), Number(plain[3])]
}
const after = (a: number[], b: number[]) => a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!

test.each(Object.keys(wanted))(
  '%s: the newest patch of the line and the number of releases behind are exact',
  (slug) => {
    const since = history[slug]!.complete_since!
    // Those that nobody should take are not counted.
    const isBad = (version: string) => facts.faultsOfProject(slug)?.(version, parseVersion(version)) !== undefined
    const all = releases[slug]!.app!.map(([version, day]) => ({ version, day, numbers: toNumbers(version)! }))
    const recent = all.filter(({ day }) => day >= since).slice(0, 100)
    const images = recent.map(({ version }) => ({ reference: `${wanted[slug]}:${version}` }))
    const artifacts = {
      imageSource: 'artifacts' as const,
      images: images.map(({ reference }) => ({
        reference,
        namespace: null,
        workload: null,
        helmChart: null,
        helmRelease: null,
      })),
      charts: [],
      apps: [],
      kubernetesVersion: null,
    }
    const items = assessFreshness(artifacts, view, { now })
    expect(recent).toHaveLength(100)
    const wrong = recent.flatMap(({ version, numbers }) => {
      const newer = all.filter((one) => !isBad(one.version) && after(one.numbers, numbers) > 0)
      const line = newer.filter((one) => one.numbers[0] === numbers[0] && one.numbers[1] === numbers[1])
      const [last] = line.toSorted((a, b) => after(b.numbers, a.numbers))
      const isWhole = newer.every(({ day }) => day >= since)
      const item = items.find(({ current_version }) => current_version === version)!
      const told = [item.releases_behind, item.same_line_version, item.releases_behind_at_least === true]
      const expected = [newer.length, last?.version ?? null, !isWhole]
      return JSON.stringify(told) === JSON.stringify(expected) ? [] : [{ version, told, expected }]
    })
    expect(wrong).toEqual([])
  },
)

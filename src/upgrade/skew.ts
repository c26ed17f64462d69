import type { UpgradeFacts } from './facts.ts'
import { holds } from './node-skew.ts'

/**
 * Components that the distribution ships with a minor version, if they change; for a cluster of unknown origin, as in
 * kubeadm.
 */
export function shippedWith({ components }: UpgradeFacts, offering: string | undefined, before: string, hop: string) {
  const distribution = offering ?? 'kubeadm'
  const of = (minor: string) =>
    components.filter((one) => one.distribution === distribution && one.kubernetes === minor)
  const was = new Map(of(before).map(({ slug, version }) => [slug, version]))
  return of(hop).filter(({ slug, version }) => was.get(slug) !== version)
}

/** Rules about nodes that apply at a minor version: the offering's own, else those of Kubernetes. */
export function nodeRules({ skew }: UpgradeFacts, offering: string | undefined, minor: string) {
  const holding = skew.filter((rule) => rule.of_nodes && holds(rule, minor))
  const own = holding.filter(({ scope }) => scope === offering)
  const general = holding.filter(({ scope }) => scope === 'kubernetes')
  return [
    ...(own.length > 0 ? own : general.filter(({ rule }) => rule !== 'drain-first')),
    ...general.filter(({ rule }) => rule === 'drain-first'),
  ]
}

const aboutOrder = new Set(['minor-by-minor', 'order', 'before', 'no-downgrade', 'skip-conditional', 'max-difference'])

/** Rules about the control plane and the upgrade order. */
export function hopRules({ skew }: UpgradeFacts, offering: string | undefined, minor: string) {
  const about = skew.filter((rule) => aboutOrder.has(rule.rule) && !rule.of_nodes && holds(rule, minor))
  const own = about.filter(({ scope }) => scope === offering)
  const has = new Set(own.map(({ rule }) => rule))
  return [
    ...own,
    ...about.filter(
      ({ scope, rule, component }) => scope === 'kubernetes' && !has.has(rule) && component !== 'kube-proxy',
    ),
  ]
}

import type { SkewRule } from '../contract/upgrade-facts.ts'
import type { UpgradeFacts } from './facts.ts'
import { compareLines } from './line.ts'

/** The offering that a version of Kubernetes names: `v1.33.10-eks-ba2e9a1`. */
export function offeringOf(version: string | null, provider: string | null): string | undefined {
  if (provider !== null && provider !== 'kubernetes') return provider
  const found = /[-+.](eks|gke|k3s|rke2)(?![a-z])/.exec(version ?? '')
  return found?.[1]
}

const ofNodes = /kubelet|node|worker/i

/** Rules about the nodes that hold at a minor version: the offering's own, else those of Kubernetes. */
export function nodeRules({ skew }: UpgradeFacts, offering: string | undefined, minor: string): SkewRule[] {
  const holding = skew.filter((rule) => ofNodes.test(rule.component) && holds(rule, minor))
  const own = holding.filter(({ scope }) => scope === offering)
  const general = holding.filter(({ scope }) => scope === 'kubernetes')
  return [...(own.length > 0 ? own : general.filter(({ rule }) => rule !== 'drain-first')), ...general.filter(isDrain)]
}

const isDrain = ({ rule }: SkewRule) => rule === 'drain-first'
const aboutOrder = new Set(['minor-by-minor', 'order', 'before', 'no-downgrade', 'skip-conditional', 'max-difference'])

/** Rules about the control plane and the order. */
export function hopRules({ skew }: UpgradeFacts, offering: string | undefined, minor: string): SkewRule[] {
  const about = skew.filter((rule) => aboutOrder.has(rule.rule) && !ofNodes.test(rule.component) && holds(rule, minor))
  const own = about.filter(({ scope }) => scope === offering)
  const has = new Set(own.map(({ rule }) => rule))
  return [
    ...own,
    ...about.filter(
      ({ scope, rule, component }) => scope === 'kubernetes' && !has.has(rule) && component !== 'kube-proxy',
    ),
  ]
}

function holds({ from_version: from, to_version: to }: SkewRule, minor: string): boolean {
  return (from === undefined || compareLines(minor, from) >= 0) && (to === undefined || compareLines(minor, to) <= 0)
}

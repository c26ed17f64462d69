import type { NodeSkew } from '../contract/node.ts'
import type { SkewRule } from '../contract/upgrade-facts.ts'
import { offeringFor } from '../lifecycle/offering.ts'
import { count } from '../util/words.ts'
import { compareLines } from './line.ts'

const toMinor = (version: string | null): [major: number, minor: number] | undefined => {
  const found = /^v?(\d{1,3})\.(\d{1,3})(?!\d)/.exec(version ?? '')
  return found ? [Number(found[1]), Number(found[2])] : undefined
}

interface ApiServer {
  /** Version as stated by the cluster. */
  version: string | null
  provider?: string | null | undefined
  rules: readonly SkewRule[]
}

/** Compares a kubelet with the API server, by the rules of the offering, else those of Kubernetes. */
export function toSkew(kubelet: string | null, { version, provider, rules }: ApiServer): NodeSkew {
  const unknown = { older: null, allowed_older: null, source: null, as_of: null, state: 'unknown' as const }
  const [node, server] = [toMinor(kubelet), toMinor(version)]
  if (!server) return { ...unknown, says: 'the version of the API server is not known' }
  if (!node) return { ...unknown, says: 'the node states no version of its kubelet' }
  const minor = (of: [number, number]) => of.join('.')
  const rule = olderRule(rules, {
    kubelet: minor(node),
    server: minor(server),
    offering: offeringFor(version, provider),
  })
  if (!rule || node[0] !== server[0]) return { ...unknown, says: 'no rule about the skew of these versions is known' }
  const allowed = Number(rule.value)
  const older = server[1] - node[1]
  const facts = { older, allowed_older: allowed, source: rule.source, as_of: rule.as_of }
  const against = `than the API server (${minor(server)})`
  if (older < 0)
    return { ...facts, state: 'too_new', says: `${minors(-older)} newer ${against}; it may never be newer` }
  if (older === 0) return { ...facts, state: 'ok', says: 'the minor version of the API server' }
  const state = older > allowed ? ('too_old' as const) : ('ok' as const)
  return { ...facts, state, says: `${minors(older)} older ${against}; ${allowed} allowed` }
}

const minors = (older: number) => count(older, 'minor version')

/** A rule of Kubernetes applies from a kubelet version on; one of an offering, from a control plane version on. */
export function olderRule(
  rules: readonly SkewRule[],
  { kubelet, server, offering }: { kubelet: string; server: string; offering: string | undefined },
) {
  const older = rules.filter(({ rule, of_nodes }) => rule === 'max-older' && of_nodes)
  const own = older.find((rule) => rule.scope === offering && holds(rule, server))
  return own ?? older.find((rule) => rule.scope === 'kubernetes' && holds(rule, kubelet))
}

export function holds({ from_version: from, to_version: to }: SkewRule, minor: string) {
  return (from === undefined || compareLines(minor, from) >= 0) && (to === undefined || compareLines(minor, to) <= 0)
}

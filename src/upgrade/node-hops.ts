import type { UpgradeReason } from '../contract/upgrade.ts'
import type { SkewRule } from '../contract/upgrade-facts.ts'
import type { NodeArtifact } from '../reports/artifact.ts'
import { newerNodesText, olderNodesText, silentNodesText, unknownNodesText } from '../views/upgrade-text.ts'
import { compareLines, kubeletMinor, minorsBetween } from './line.ts'
import { olderRule } from './node-skew.ts'

/** Number of nodes by the minor version of their kubelets, ascending. */
type Kubelets = readonly { version: string; nodes: number }[]

export interface KnownNodes {
  kubelets: Kubelets
  /** Number of nodes whose version is unreadable. */
  unread: number
}

/** Undefined if nodes were not collected. */
export function knownNodes(nodes: readonly NodeArtifact[] | undefined): KnownNodes | undefined {
  if (!nodes) return undefined
  const counts = Map.groupBy(nodes, ({ kubelet }) => kubeletMinor(kubelet))
  const unread = counts.get(undefined)?.length ?? 0
  counts.delete(undefined)
  const kubelets = [...counts].map(([version, same]) => ({ version: version!, nodes: same.length }))
  return { kubelets: kubelets.sort((a, b) => compareLines(a.version, b.version)), unread }
}

/** Nodes that are upgraded together to another minor version. */
export interface NodeMove {
  to: string
  kubelets: Kubelets
  why: MoveReason[]
}

/** A sentence, and the rule that it comes from. */
interface MoveReason {
  says: string
  rule?: SkewRule
}

export interface NodeHop {
  /** Nodes that are too old for the next API server. */
  before: NodeMove | undefined
  /** Undefined if no node is known to be older than Kubernetes after the hop. */
  after: NodeMove | undefined
  /** The versions of some nodes are unknown. */
  isOpen: boolean
}

export interface PlacedNodes {
  /** Nodes that are too old for the running API server. */
  now: NodeMove | undefined
  /** One entry for each hop. */
  hops: NodeHop[]
  reasons: UpgradeReason[]
}

interface Course {
  from: string
  minors: readonly string[]
  offering: string | undefined
  rules: readonly SkewRule[]
}

/** Upgrades nodes with each hop, and before it those that would be too old for the next API server. */
export function placeNodes(nodes: KnownNodes | undefined, course: Course): PlacedNodes {
  const { from, minors, offering, rules } = course
  const isOpen = !nodes || nodes.unread > 0
  const mustMatch = rules.find(({ rule, scope }) => rule === 'same-before-upgrade' && scope === offering)
  let kubelets = nodes?.kubelets ?? []
  const raise = (to: string, wanted: (version: string) => boolean, why: (oldest: string) => MoveReason[]) => {
    const moving = kubelets.filter(({ version }) => compareLines(version, to) < 0 && wanted(version))
    if (moving.length === 0) return undefined
    kubelets = moved(kubelets, moving, to)
    return { to, kubelets: moving, why: why(moving[0]!.version) }
  }
  const isTooOld = (server: string) => (version: string) => distanceOf(version, server, course).isTooOld
  const now = raise(from, isTooOld(from), (oldest) => [
    { says: olderNodesText(oldest, distanceOf(oldest, from, course)) },
  ])
  let before = from
  const hops = minors.map((hop) => {
    const wanted = mustMatch ? () => true : isTooOld(hop)
    const first = raise(before, wanted, (oldest) => {
      const distance = distanceOf(oldest, hop, course)
      return distance.isTooOld
        ? [{ says: olderNodesText(oldest, { ...distance, hop }) }]
        : [{ says: mustMatch!.note, rule: mustMatch! }]
    })
    const after = raise(
      hop,
      () => true,
      (oldest) => (mustMatch ? [] : mayWait(oldest, hop, course)),
    )
    before = hop
    return { before: first, after, isOpen }
  })
  const last = minors.at(-1) ?? from
  const newer = kubelets.filter(({ version }) => compareLines(version, last) > 0)
  const reasons = newer.map(
    ({ version, nodes }): UpgradeReason => ({ word: 'blocked', ...about, says: newerNodesText(version, nodes, last) }),
  )
  return { now, hops, reasons: [...reasons, ...openReasons(nodes)] }
}

function moved(all: Kubelets, moving: Kubelets, to: string) {
  const nodes = moving.reduce((sum, one) => sum + one.nodes, 0)
  const others = all.filter((one) => !moving.includes(one))
  const same = others.find(({ version }) => version === to)
  return [...others.filter((one) => one !== same), { version: to, nodes: nodes + (same?.nodes ?? 0) }].sort((a, b) =>
    compareLines(a.version, b.version),
  )
}

/** Without a rule no node is too old. */
function distanceOf(kubelet: string, server: string, { offering, rules }: Course) {
  const older = minorsBetween(kubelet, server)?.length ?? 0
  const allowed = olderRule(rules, { kubelet, server, offering })?.value
  return typeof allowed === 'number'
    ? { older, allowed, isTooOld: older > allowed }
    : { older, allowed: older, isTooOld: false }
}

/** The last Kubernetes that these nodes support, if later than that of the hop. */
function mayWait(oldest: string, hop: string, course: Course): MoveReason[] {
  const rule = olderRule(course.rules, { kubelet: oldest, server: hop, offering: course.offering })
  if (typeof rule?.value !== 'number') return []
  const [major, number] = oldest.split('.')
  const last = `${major}.${Number(number) + rule.value}`
  return compareLines(last, hop) > 0 ? [{ says: `Nodes of ${oldest} may wait until Kubernetes runs ${last}.` }] : []
}

const about = { project_slug: 'kubernetes' }

function openReasons(nodes: KnownNodes | undefined): UpgradeReason[] {
  if (!nodes) return [{ word: 'not_stated', ...about, says: unknownNodesText }]
  return nodes.unread > 0 ? [{ word: 'not_stated', ...about, says: silentNodesText(nodes.unread) }] : []
}

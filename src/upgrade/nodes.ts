import type { Eol } from '../contract/eol.ts'
import type { NodeComponent, NodePart } from '../contract/node.ts'
import type { SkewRule } from '../contract/upgrade-facts.ts'
import { cyclesFrom } from '../lifecycle/bundled.ts'
import { kubernetesSupport } from '../lifecycle/kubernetes-support.ts'
import { type ReadSystem, readOsImage, readRuntime } from '../lifecycle/node-system.ts'
import { offeringFor } from '../lifecycle/offering.ts'
import type { NodeArtifact } from '../reports/artifact.ts'
import { kubeletMinor } from './line.ts'
import { toSkew } from './node-skew.ts'

/** Facts about the versions of node components. */
export interface NodeFacts {
  apiServer: string | null
  provider?: string | null | undefined
  rules: readonly SkewRule[]
  /** Support end of a project or operating system, by its slug. */
  supportFor: (slug: string, segments: readonly string[]) => Eol | undefined
  /** `YYYY-MM-DD` */
  today: string
}

const mostNames = 20

/** Groups equal components of nodes, with the support end of each, and the skew of each kubelet. */
export function assessNodes(nodes: NodeArtifact[], facts: NodeFacts): NodeComponent[] {
  const parts: [NodePart, (node: NodeArtifact) => string | null][] = [
    ['os', ({ os }) => os],
    ['runtime', ({ runtime }) => runtime],
    ['kubelet', ({ kubelet }) => kubelet],
  ]
  return parts.flatMap(([part, toText]) =>
    [...Map.groupBy(nodes, (node) => toText(node) ?? '')]
      .sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? -1 : 1))
      .map(([text, of]) => ({ ...describe(part, text, facts), ...named(of) })),
  )
}

function named(nodes: NodeArtifact[]) {
  const names = nodes.map(({ name }) => name).sort()
  return { nodes_count: names.length, nodes: names.slice(0, mostNames) }
}

function describe(part: NodePart, text: string, facts: NodeFacts): Omit<NodeComponent, 'nodes' | 'nodes_count'> {
  const shown = { part, display_name: text === '' ? 'not stated' : text }
  if (part === 'kubelet') {
    const { apiServer: version, provider, rules } = facts
    return {
      ...shown,
      artifact_key: `kubelet@${text}`,
      slug: 'kubernetes',
      version: text || null,
      ...kubeletSupport(text, facts),
      skew: toSkew(text, { version, provider, rules }),
    }
  }
  const found = part === 'os' ? readOsImage(text) : readRuntime(text)
  if (!found) {
    const eol_unknown = text === '' ? 'the node does not state it' : 'this form is not known'
    return { ...shown, artifact_key: `${part}@${text}`, slug: null, version: null, eol: null, eol_unknown }
  }
  return { ...shown, ...ofSystem(found, facts) }
}

/** If a kubelet's version names no offering, it is that of the cluster. */
function kubeletSupport(version: string, { apiServer, provider, today, supportFor }: NodeFacts) {
  if (!kubeletMinor(version)) return { eol: null, eol_unknown: 'the node states no version' }
  const upstream = (segments: readonly string[]) => supportFor('kubernetes', segments)
  const found = kubernetesSupport({ version, provider: offeringFor(apiServer, provider), today, upstream })
  if (!found.eol) return { eol: null, eol_unknown: found.unknown }
  const { source, as_of, ...eol } = found.eol
  return { eol, source, as_of }
}

function ofSystem({ slug, version, segments, unknown, follows = slug }: ReadSystem, facts: NodeFacts) {
  const artifact_key = `${slug}@${version ?? ''}`
  return { artifact_key, slug, version, ...supportFields(follows, segments, unknown, facts) }
}

function supportFields(
  slug: string,
  segments: readonly string[] | undefined,
  unknown: string | undefined,
  { supportFor }: NodeFacts,
): Pick<NodeComponent, 'eol' | 'eol_unknown' | 'source' | 'as_of'> {
  const eol = segments && supportFor(slug, segments)
  if (!eol) return { eol: null, eol_unknown: unknown ?? 'no end of support of this version is known' }
  return { eol, ...cyclesFrom(slug) }
}

import type { NodeComponent } from '../../contract/node.ts'
import type { SkewRule } from '../../contract/upgrade-facts.ts'
import type { CatalogFacts } from '../../freshness/index.ts'
import { endOfLifeFor } from '../../lifecycle/end-of-life.ts'
import type { Artifacts } from '../../reports/artifact.ts'
import { assessNodes } from '../../upgrade/nodes.ts'

/** Components of a cluster's nodes; undefined if its inventory has no nodes. */
export function toNodeComponents(
  { nodes, kubernetesVersion: apiServer, provider }: Artifacts,
  { catalog, rules }: { catalog: CatalogFacts; rules: readonly SkewRule[] },
): NodeComponent[] | undefined {
  const { index, today } = catalog
  return (
    nodes &&
    assessNodes(nodes, {
      apiServer,
      provider,
      rules,
      today,
      supportFor(slug, segments) {
        const [project] = index.bySlug(slug)
        if (project) return catalog.endOfLifeFor(project, segments, today)
        return endOfLifeFor(slug, segments, { fetched: [], today })
      },
    })
  )
}

import type { NodeComponent } from '../../contract/node.ts'
import type { SkewRule } from '../../contract/upgrade-facts.ts'
import type { CatalogFacts } from '../../freshness/index.ts'
import { endOfLifeOf } from '../../lifecycle/end-of-life.ts'
import type { Artifacts } from '../../reports/artifact.ts'
import { assessNodes } from '../../upgrade/nodes.ts'

interface Known {
  catalog: CatalogFacts
  provider: string | null
  rules: readonly SkewRule[]
}

/** What the nodes of a cluster run; undefined where its inventory has no nodes. */
export function nodeComponentsOf(
  { nodes, kubernetesVersion: apiServer }: Artifacts,
  { catalog, provider, rules }: Known,
): NodeComponent[] | undefined {
  const { index, today } = catalog
  return (
    nodes &&
    assessNodes(nodes, {
      ...{ apiServer, provider, rules },
      supportOf(slug, segments) {
        const [project] = index.bySlug(slug)
        if (project) return catalog.endOfLifeOf(project, segments, today)
        return endOfLifeOf(slug, segments, { fetched: [], today })
      },
    })
  )
}

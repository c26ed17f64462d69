import type { ImpactAdvisory } from '../../contract/impact.ts'
import { bySeverity } from '../../contract/severity-rank.ts'
import { formatTimestamp } from '../../util/time.ts'
import type { Concern, ExposedArtifact } from './find-exposures.ts'

export type RunningExposure = Pick<ExposedArtifact, 'run' | 'one'> & Pick<Concern, 'exposure'>

/** Counts affected and possibly affected artifacts by advisory and project. */
export class TouchingAdvisories {
  readonly #found = new Map<string, { entry: ImpactAdvisory; clusters: Set<string> }>()

  add({ run: { run }, one, exposure }: RunningExposure): void {
    const project = one.match.project!
    for (const { id, aliases, severity, score, publishedAt, exploited = null } of exposure.advisories) {
      const key = `${project.id} ${id}`
      const found = this.#found.get(key) ?? {
        entry: {
          ...{ id, aliases, severity, score, exploited },
          published: publishedAt === null ? null : formatTimestamp(publishedAt).slice(0, 10),
          product_id: project.id,
          product_name: project.name,
          clusters: 0,
          artifacts: 0,
          is_certain: false,
        },
        clusters: new Set(),
      }
      this.#found.set(key, found)
      found.entry.clusters = found.clusters.add(run.run_id).size
      found.entry.artifacts++
      found.entry.is_certain ||= exposure.isCertain
    }
  }

  /** Sorted by certainty, then exploited ones first, then by severity and date. */
  result(): ImpactAdvisory[] {
    return [...this.#found.values()]
      .map(({ entry }) => entry)
      .sort(
        (a, b) =>
          Number(b.is_certain) - Number(a.is_certain) ||
          Number(Boolean(b.exploited)) - Number(Boolean(a.exploited)) ||
          bySeverity(a, b) ||
          (b.published ?? '').localeCompare(a.published ?? '') ||
          a.id.localeCompare(b.id),
      )
  }
}

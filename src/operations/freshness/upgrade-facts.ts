import { perBundle } from '../../catalog/bundle.ts'
import { bundledUpgradeFacts } from '../../catalog/upgrade-facts.ts'
import type { ApiRemoval, BreakingChange, Compatibility } from '../../contract/upgrade-facts.ts'
import type { Db } from '../../db/open.ts'
import type { KnownProject } from '../../freshness/catalog-view.ts'
import { listChartRanges } from '../../store/catalog/chart-release.ts'
import { listStateFacts, type StoredStateFacts } from '../../store/facts/state-fact.ts'
import { type ChartRelease, chartRows } from '../../upgrade/chart-ranges.ts'
import { UpgradeFacts } from '../../upgrade/facts.ts'
import { formatDay } from '../../util/time.ts'
import { findBundle } from '../facts/bundle.ts'

const factsOf = perBundle((bundle) => new UpgradeFacts(bundledUpgradeFacts(bundle)))

/**
 * The bundled facts for plans, then those from sources and from charts of these projects, then the operator's own; later
 * ones override earlier ones.
 */
export async function findUpgradeFacts(
  db: Db,
  projects: readonly Pick<KnownProject, 'id' | 'slug' | 'helmChartRepo'>[],
): Promise<UpgradeFacts> {
  const stored = (await listStateFacts(db, ['compatibility', 'removal', 'breaking'])).filter(
    ({ facts }) => facts.length > 0,
  )
  const charts = await findChartReleases(db, projects)
  const bundle = await findBundle(db)
  if (stored.length === 0 && charts.length === 0) return factsOf(bundle)
  const known = bundledUpgradeFacts(bundle)
  const [own, fetched] = [true, false].map((isOwn) => stored.filter(({ source }) => (source === 'file') === isOwn))
  const ranges = [...known.compatibility, ...of<Compatibility>(fetched!, 'compatibility')]
  const toLines = new UpgradeFacts({ ...known, compatibility: ranges })
  return new UpgradeFacts({
    ...known,
    compatibility: [
      ...ranges,
      ...chartRows(charts, (slug) => toLines.toLines(slug)),
      ...of<Compatibility>(own!, 'compatibility').map((row): Compatibility => ({ ...row, own: true })),
    ],
    removals: [...known.removals, ...of<ApiRemoval>(own!, 'removal')],
    breaking: [...known.breaking, ...of<BreakingChange>(own!, 'breaking')],
  })
}

function of<T>(stored: StoredStateFacts[], kind: StoredStateFacts['kind']) {
  return stored.filter((one) => one.kind === kind).flatMap(({ facts }) => facts as T[])
}

async function findChartReleases(
  db: Db,
  projects: readonly Pick<KnownProject, 'id' | 'slug' | 'helmChartRepo'>[],
): Promise<ChartRelease[]> {
  const byId = new Map(projects.map((project) => [project.id, project]))
  const rows = await listChartRanges(db, [...byId.keys()])
  return rows.map((row) => {
    const { slug, helmChartRepo } = byId.get(row.project_id)!
    return {
      slug,
      chart: row.chart_name,
      version: row.version,
      appVersion: row.app_version,
      kubeVersion: row.kube_version,
      source: helmChartRepo ?? '',
      day: formatDay(row.published_at),
    }
  })
}

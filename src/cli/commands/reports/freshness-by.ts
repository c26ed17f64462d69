import type { ReceivedFreshnessItem } from '../../../contract/received/cluster-report.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { show } from '../../output/output.ts'
import type { Remark } from '../../output/remarks.ts'
import type { Cli } from '../../program/command.ts'
import { type LabelsOf, loadOwners } from '../owners/choice.ts'

/** Artifacts that have something in common. */
interface FreshnessGroup {
  key: string
  artifacts: number
  clusters: number
  versions: string[]
  minor_behind: number
  major_behind: number
  unknown: number
  affected: number
  ended: number
}

export const freshnessGroupings = ['project', 'owner'] as const
type FreshnessGrouping = (typeof freshnessGroupings)[number]

type Item = ReceivedFreshnessItem & { cluster_name: string; environment: string }

/** Those with most to do first. `keysOf` may give an artifact to several groups. */
function groupFreshness(items: Item[], keysOf: (item: Item) => string[]): FreshnessGroup[] {
  const keyed = items.flatMap((item) => keysOf(item).map((key) => ({ key, item })))
  return [...Map.groupBy(keyed, ({ key }) => key)]
    .map(([key, own]) =>
      groupOf(
        key,
        own.map(({ item }) => item),
      ),
    )
    .sort((a, b) => urgency(b) - urgency(a) || a.key.localeCompare(b.key, 'en'))
}

/** The groups in place of the artifacts. What nobody owns is a group of its own. */
export async function showFreshnessBy(
  cli: Cli,
  items: Item[],
  { by, labelsOf, remarks }: { by: FreshnessGrouping; labelsOf: LabelsOf; remarks: Remark[] },
): Promise<void> {
  const ownersOf = by === 'owner' ? await loadOwners(await cli.context.client(), labelsOf) : undefined
  const keysOf = (item: Item) => {
    const owners = ownersOf?.(item, item)
    return owners?.length === 0 ? ['-'] : (owners ?? [projectOf(item)])
  }
  const groups = groupFreshness(items, keysOf)
  await show<FreshnessGroup>(cli, {
    body: { success: true, by, groups },
    rows: groups,
    columns: () => groupColumnsOf(by),
    remarks,
    empty: 'No artifact matches.',
  })
}

/** The project of the catalog, else what runs. */
const projectOf = ({ source_product_slug, artifact_type, short_name, display_name }: Item): string =>
  artifact_type === 'kubernetes' ? 'kubernetes' : (source_product_slug ?? short_name ?? display_name ?? 'unknown')

function groupOf(key: string, own: Item[]): FreshnessGroup {
  const many = (is: (item: Item) => boolean) => own.filter(is).length
  return {
    key,
    artifacts: own.length,
    clusters: new Set(own.map(({ cluster_name, environment }) => `${cluster_name}\n${environment}`)).size,
    versions: [...new Set(own.flatMap(({ current_version }) => current_version ?? []))].sort(
      new Intl.Collator('en', { numeric: true }).compare,
    ),
    minor_behind: many(({ status }) => status === 'minor_behind'),
    major_behind: many(({ status }) => status === 'major_behind'),
    unknown: many(({ status }) => status === 'unknown'),
    affected: many(({ advisories_count }) => (advisories_count ?? 0) > 0),
    ended: many(({ eol }) => eol?.is_eol === true),
  }
}

const urgency = ({ affected, ended, major_behind, minor_behind }: FreshnessGroup): number =>
  affected * 1e9 + ended * 1e6 + major_behind * 1e3 + minor_behind

const numberColumn = (title: string, of: (group: FreshnessGroup) => number): Column<FreshnessGroup> => ({
  title,
  value: (group) => String(of(group)),
  align: 'right',
})

const groupColumnsOf = (by: FreshnessGrouping): Column<FreshnessGroup>[] => [
  { title: by === 'owner' ? 'Owner' : 'Project', value: ({ key }) => key, min: 12 },
  numberColumn('Artifacts', ({ artifacts }) => artifacts),
  numberColumn('Clusters', ({ clusters }) => clusters),
  numberColumn('Affected', ({ affected }) => affected),
  numberColumn('Ended', ({ ended }) => ended),
  numberColumn('Major behind', ({ major_behind }) => major_behind),
  numberColumn('Minor behind', ({ minor_behind }) => minor_behind),
  numberColumn('Unknown', ({ unknown }) => unknown),
  { title: 'Versions', value: ({ versions }) => versions.join(', '), min: 10 },
]

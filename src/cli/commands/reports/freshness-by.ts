import { drawColumns } from '../../../render/terminal/draw.ts'
import { groupColumns, groupFreshness, type PlacedItem } from '../../../views/freshness-groups.ts'
import { show } from '../../output/output.ts'
import type { Remarks } from '../../output/remarks.ts'
import type { Cli } from '../../program/command.ts'
import { type LabelsOf, loadOwners } from '../owners/choice.ts'

export const freshnessGroupings = ['project', 'owner'] as const

/** Shows groups instead of artifacts. Artifacts without an owner are a separate group. */
export async function showFreshnessBy(
  cli: Cli,
  items: PlacedItem[],
  { by, labelsFor, remarks }: { by: (typeof freshnessGroupings)[number]; labelsFor: LabelsOf; remarks: Remarks },
) {
  const ownersFor = by === 'owner' ? await loadOwners(cli, labelsFor) : undefined
  const toKeys = (item: PlacedItem) => {
    const owners = ownersFor?.(item, item)
    if (owners) return owners.length === 0 ? [null] : owners
    // The catalog project, or else the artifact.
    const { source_product_slug, artifact_type, short_name, display_name } = item
    return [
      artifact_type === 'kubernetes' ? artifact_type : (source_product_slug ?? short_name ?? display_name ?? 'unknown'),
    ]
  }
  const groups = groupFreshness(items, toKeys)
  await show(cli, {
    body: { success: true, by, items: groups.map(({ key, ...group }) => ({ key: key ?? '-', ...group })) },
    rows: groups,
    columns: (io, now) => drawColumns(io, groupColumns(by === 'owner' ? 'Owner' : 'Project'), now),
    remarks,
    empty: 'No artifact matches.',
  })
}

import type { ReceivedFreshnessItem } from '../contract/received/cluster-report.ts'
import { isAffected } from './artifact.ts'
import { titles } from './titles.ts'
import { columnsOf } from './view.ts'

/** Artifacts with a common property. */
export interface FreshnessGroup {
  /** Null for artifacts without an owner. */
  key: string | null
  artifacts: number
  clusters: number
  versions: string[]
  minor_behind: number
  major_behind: number
  unknown: number
  affected: number
  ended: number
}

export type PlacedItem = ReceivedFreshnessItem & { cluster_name: string; environment: string }

/** Groups with most to do first. `toKeys` may put an artifact into several groups. */
export function groupFreshness(items: PlacedItem[], toKeys: (item: PlacedItem) => (string | null)[]): FreshnessGroup[] {
  const keyed = items.flatMap((item) => toKeys(item).map((key) => ({ key, item })))
  return [...Map.groupBy(keyed, ({ key }) => key)]
    .map(([key, own]) =>
      toGroup(
        key,
        own.map(({ item }) => item),
      ),
    )
    .sort((a, b) => urgency(b) - urgency(a) || (a.key ?? '').localeCompare(b.key ?? '', 'en'))
}

function toGroup(key: FreshnessGroup['key'], own: PlacedItem[]) {
  const many = (is: (item: PlacedItem) => boolean) => own.filter(is).length
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
    affected: many(isAffected),
    ended: many(({ eol }) => eol?.is_eol === true),
  }
}

const urgency = ({ affected, ended, major_behind, minor_behind }: FreshnessGroup) =>
  affected * 1e9 + ended * 1e6 + major_behind * 1e3 + minor_behind

const counted = (title: string, of: (group: FreshnessGroup) => number) => ({
  title,
  data: of,
  reveals: 'safe' as const,
  align: 'right' as const,
  text: (group: FreshnessGroup) => String(of(group)),
})

/** `title`: the kind of group. */
export const groupColumns = (title: string) =>
  Object.values(
    columnsOf<FreshnessGroup>()({
      key: { title, text: ({ key }) => key, reveals: 'artifact', min: 12 },
      artifacts: counted(titles.artifacts, ({ artifacts }) => artifacts),
      clusters: counted(titles.clusters, ({ clusters }) => clusters),
      affected: counted('Affected', ({ affected }) => affected),
      ended: counted('Ended', ({ ended }) => ended),
      major_behind: counted('Major behind', ({ major_behind }) => major_behind),
      minor_behind: counted('Minor behind', ({ minor_behind }) => minor_behind),
      unknown: counted('Unknown', ({ unknown }) => unknown),
      versions: { title: 'Versions', reveals: 'version', min: 10, text: ({ versions }) => versions.join(', ') },
    }),
  )

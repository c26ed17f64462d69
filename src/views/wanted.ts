import type { WantedChart } from '../contract/wanted.ts'
import { titled } from './titles.ts'
import type { ViewColumn } from './view.ts'

const states = { equal: 'as wanted', drifted: 'drifted', unknown: 'unknown' } as const
const tones = { equal: undefined, drifted: 'bad', unknown: 'soft' } as const

const shownVersion = ({ wanted_version: version, is_exact, chart }: WantedChart): string => {
  if (chart === null && version === null) return 'unknown'
  if (version === null) return 'the newest'
  return is_exact ? version : `${version} (range)`
}

/** `5.1.0 (4.9.2 in the range)` */
function newestText({ newest_version: newest, newest_in_range: inRange }: WantedChart): string {
  if (newest === null) return 'unknown'
  return inRange && inRange !== newest ? `${newest} (${inRange} in the range)` : newest
}

/** Charts with a version to compare, drifted ones first. Content from git alone has no version. */
export const comparableCharts = (wanted: readonly WantedChart[] = []): WantedChart[] =>
  wanted
    .filter(({ chart, kind }) => chart !== null || kind === 'HelmRelease')
    .sort((a, b) => Number(b.state === 'drifted') - Number(a.state === 'drifted'))

/** Columns of wanted charts and running ones. */
const columns = {
  by: {
    ...{ key: 'by', title: 'Wanted by', reveals: 'resource', width: { min: 16 } },
    text: ({ kind, namespace, name }) => `${kind} ${namespace === null ? name : `${namespace}/${name}`}`,
  },
  chart: { ...titled('chart'), reveals: 'artifact', width: { min: 9 }, text: ({ chart }) => chart },
  wanted: {
    ...{ key: 'wanted', title: 'Wanted', reveals: 'version', width: { min: 9 } },
    text: shownVersion,
    data: ({ wanted_version }) => wanted_version,
  },
  runs: {
    ...{ ...titled('runs'), reveals: 'version', width: { min: 9 } },
    text: ({ running_version }) => running_version ?? 'unknown',
    data: ({ running_version }) => running_version,
  },
  state: {
    ...{ ...titled('state'), reveals: 'safe' },
    text: ({ state }) => states[state],
    data: ({ state }) => state,
    tone: ({ state }) => tones[state],
  },
  step: { ...titled('step'), reveals: 'safe', width: { min: 9 }, text: ({ next_version }) => next_version },
  newest: {
    ...{ ...titled('newest'), reveals: 'safe', width: { min: 9 } },
    text: newestText,
    data: ({ newest_version }) => newest_version,
  },
  repository: {
    ...{ key: 'repository', title: 'Repository', reveals: 'artifact', width: { from: 160 } },
    text: ({ repository }) => repository,
  },
} satisfies Record<string, ViewColumn<WantedChart>>

export const wantedColumns = columns as Record<keyof typeof columns, ViewColumn<WantedChart>>

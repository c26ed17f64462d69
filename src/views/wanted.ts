import type { WantedChart } from '../contract/wanted.ts'
import { columnsOf } from './view.ts'

const states = { equal: 'as wanted', drifted: 'drifted', unknown: 'unknown' } as const
const tones = { equal: undefined, drifted: 'bad', unknown: 'soft' } as const

const shownVersion = ({ wanted_version: version, is_exact, chart }: WantedChart) => {
  if (chart === null && version === null) return 'unknown'
  if (version === null) return 'the newest'
  return is_exact ? version : `${version} (range)`
}

/** `5.1.0 (4.9.2 in the range)` */
function newestText({ newest_version: newest, newest_in_range: inRange }: WantedChart) {
  if (newest === null) return 'unknown'
  return inRange && inRange !== newest ? `${newest} (${inRange} in the range)` : newest
}

/** Charts with a version to compare, drifted ones first. Content from git alone has no version. */
export const comparableCharts = (wanted: readonly WantedChart[] = []) =>
  wanted
    .filter(({ chart, kind }) => chart !== null || kind === 'HelmRelease')
    .sort((a, b) => Number(b.state === 'drifted') - Number(a.state === 'drifted'))

/** Columns of wanted charts and running ones. */
export const wantedColumns = columnsOf<WantedChart>()({
  by: {
    title: 'Wanted by',
    reveals: 'resource',
    min: 16,
    text: ({ kind, namespace, name }) => `${kind} ${namespace === null ? name : `${namespace}/${name}`}`,
  },
  chart: { reveals: 'artifact', min: 9, text: ({ chart }) => chart },
  wanted: {
    title: 'Wanted',
    reveals: 'version',
    min: 9,
    text: shownVersion,
    data: ({ wanted_version }) => wanted_version,
  },
  runs: {
    reveals: 'version',
    min: 9,
    text: ({ running_version }) => running_version ?? 'unknown',
    data: ({ running_version }) => running_version,
  },
  state: {
    reveals: 'safe',
    text: ({ state }) => states[state],
    data: ({ state }) => state,
    tone: ({ state }) => tones[state],
  },
  step: { reveals: 'safe', min: 9, text: ({ next_version }) => next_version },
  newest: { reveals: 'safe', min: 9, text: newestText, data: ({ newest_version }) => newest_version },
  repository: { title: 'Repository', reveals: 'artifact', from: 160, text: ({ repository }) => repository },
})

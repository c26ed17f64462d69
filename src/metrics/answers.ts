import { gateVerdicts, severities } from '../contract/choices.ts'
import type { ClusterMetrics, FleetMetrics, ScannerMetrics, SeverityCounts } from '../contract/cluster-metrics.ts'
import { RecentValues } from '../util/recent-values.ts'
import { daySeconds, parseTimestamp, type UnixSeconds } from '../util/time.ts'
import {
  type Gauge,
  joinGauges,
  type MetricsFormat,
  type Sample,
  type WrittenGauge,
  writeGauge,
  writeLabels,
  writeSamples,
} from './text.ts'

type Labels = Record<string, string>
type Value = number | null | undefined

/** A gauge with a value for each `T`. An unknown value has no sample: 0 would mean none. */
interface GaugeOf<T> {
  name: string
  help: string
  samples: (one: T) => [labels: Labels, value: Value][]
}

const ofClusters: GaugeOf<ClusterMetrics>[] = [
  {
    name: 'relt_cluster_info',
    help: 'What a cluster is; always 1',
    samples: ({ provider, kubernetes_version: version }) => [
      [{ provider: provider ?? '', kubernetes_version: version ?? '' }, 1],
    ],
  },
  {
    name: 'relt_cluster_expected_scan_interval_seconds',
    help: 'How often reports of a cluster are expected',
    samples: ({ expected_every }) => [[{}, expected_every]],
  },
  {
    name: 'relt_cluster_news_since_timestamp_seconds',
    help: 'Since when findings are new',
    samples: ({ since }) => [[{}, since === undefined ? null : parseTimestamp(since)]],
  },
  {
    name: 'relt_cluster_coverage_ratio',
    help: 'Share of the running images, charts and apps whose project and version the catalog knows',
    samples: ({ running }) => [[{}, running?.coverage]],
  },
  {
    name: 'relt_cluster_artifacts',
    help: 'Running images, charts and apps, each by the worst that is known of it',
    samples: ({ running }) => Object.entries(running?.artifacts ?? {}).map(([status, many]) => [{ status }, many]),
  },
  {
    name: 'relt_cluster_advisories',
    help: 'Advisories that affect what runs, each once',
    samples: ({ running }) => (running?.advisories ? advisorySamples(running.advisories) : []),
  },
  {
    name: 'relt_support_end_timestamp_seconds',
    help: 'When support of a running version ends: of Kubernetes, and the 20 nearest others',
    samples: ({ running }) =>
      (running?.support ?? []).map(({ project, cycle, ends_on }) => [{ project, cycle }, endOfDay(ends_on)]),
  },
  {
    name: 'relt_upgrade_blockers',
    help: 'What blocks an upgrade of the cluster to the next minor version of Kubernetes',
    samples: ({ running }) => {
      const { target, count } = running?.upgrade_blockers ?? {}
      return target === undefined ? [] : [[{ target }, count]]
    },
  },
]

const ofScanners: GaugeOf<ScannerMetrics>[] = [
  {
    name: 'relt_cluster_score',
    help: 'Score of the latest run, from 0 to 100',
    samples: ({ score }) => [[{}, score]],
  },
  {
    name: 'relt_cluster_findings',
    help: 'Findings of the latest run; an exception accepts some of them',
    samples: ({ findings, accepted }) => [
      ...bySeverity(findings, (many, severity) => [
        { severity, state: 'open' },
        accepted && many - (accepted[severity] ?? 0),
      ]),
      ...bySeverity(accepted ?? {}, (many, severity) => [{ severity, state: 'accepted' }, many]),
    ],
  },
  {
    name: 'relt_cluster_changed_findings',
    help: 'What is new, regressed or resolved since relt_cluster_news_since_timestamp_seconds, without what exceptions accept',
    samples: ({ changes }) =>
      Object.entries(changes ?? {}).flatMap(([change, counts]) =>
        bySeverity(counts, (many, severity) => [{ severity, change }, many]),
      ),
  },
  {
    name: 'relt_cluster_checks_not_run',
    help: 'Checks that did not run in the latest run',
    samples: ({ checks_not_run }) => [[{}, checks_not_run]],
  },
  {
    name: 'relt_cluster_last_scan_timestamp_seconds',
    help: 'Time of the latest run',
    samples: ({ last_scan }) => [[{}, parseTimestamp(last_scan)]],
  },
  {
    name: 'relt_gate_verdict',
    help: 'Verdict on the latest run; 1 for the one that holds',
    samples: ({ gate }) => (gate ? gateVerdicts.map((verdict) => [{ verdict }, verdict === gate ? 1 : 0]) : []),
  },
]

/**
 * All answers about clusters as gauges. Samples have times instead of ages, and no label names anything within a cluster.
 */
export function answersText(answer: FleetMetrics, format: MetricsFormat) {
  const clusters = answer.items.map((one) => ({ place: writeLabels(placeFor(one)), one }))
  const scanners = answer.items.flatMap((cluster) =>
    cluster.scanners.map((one) => ({ place: writeLabels({ ...placeFor(cluster), scanner: one.format }), one })),
  )
  return joinGauges(
    [...fleetGauges(answer).map(writeGauge), ...writeAll(ofClusters, clusters), ...writeAll(ofScanners, scanners)],
    format,
  )
}

/**
 * Cache of lines by cluster or scanner, and gauge; most have not changed since the previous scrape. The weight is in
 * characters.
 */
const written = new RecentValues<string[]>(32_000_000)

function writeAll<T>(gauges: GaugeOf<T>[], all: { place: string; one: T }[]): WrittenGauge[] {
  const each = all.map(({ place, one }) => {
    const key = `${place}\n${JSON.stringify(one)}`
    const lines = written.get(key) ?? gauges.map(({ name, samples }) => writeSamples(name, known(samples(one)), place))
    written.set(
      key,
      lines,
      lines.reduce((sum, { length }) => sum + length, key.length),
    )
    return lines
  })
  return gauges.map(({ name, help }, i) => ({ name, help, lines: each.map((lines) => lines[i]).join('') }))
}

function fleetGauges({ catalog_date, advisories_date, sources }: FleetMetrics): Gauge[] {
  return [
    {
      name: 'relt_catalog_timestamp_seconds',
      help: 'Day up to which releases of all that runs are known',
      samples: known([[{}, parseTimestamp(catalog_date)]]),
    },
    {
      name: 'relt_advisories_timestamp_seconds',
      help: 'Day of the newest advisories',
      samples: known([[{}, advisories_date === null ? null : parseTimestamp(advisories_date)]]),
    },
    {
      name: 'relt_source_up',
      help: 'Whether all sources of a kind answered when they were asked last',
      samples: known(sources.map(({ kind, is_up }) => [{ source: kind }, is_up ? 1 : 0])),
    },
  ]
}

const placeFor = ({ cluster_name, environment }: ClusterMetrics): Labels => ({ cluster: cluster_name, environment })

const known = (samples: [Labels, Value][]): Sample[] =>
  samples.flatMap(([labels, value]) => (value == null ? [] : [{ labels, value }]))

const bySeverity = (
  counts: Partial<SeverityCounts>,
  sample: (many: number, severity: keyof SeverityCounts) => [Labels, Value],
) => (Object.entries(counts) as [keyof SeverityCounts, number][]).map(([severity, many]) => sample(many, severity))

const advisorySeverities = [...severities, 'unknown'] as const

/** Emits every combination, because a known absence is 0. */
function advisorySamples(found: NonNullable<NonNullable<ClusterMetrics['running']>['advisories']>) {
  return advisorySeverities.flatMap((severity) =>
    [true, false].flatMap((fixable) =>
      [true, false].map((exploited): [Labels, Value] => {
        const same = found.find(
          (one) => one.severity === severity && one.fixable === fixable && one.exploited === exploited,
        )
        return [{ severity, fixable: String(fixable), exploited: String(exploited) }, same?.count ?? 0]
      }),
    ),
  )
}

/** The last day of support is still supported. */
function endOfDay(day: string): UnixSeconds | undefined {
  const start = parseTimestamp(day)
  return start === undefined ? undefined : start + daySeconds
}

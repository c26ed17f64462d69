import type { Attention } from '../contract/cluster.ts'
import { staleText } from '../contract/facts-age.ts'
import type { ReceivedCluster } from '../contract/received/cluster.ts'
import { span } from '../util/duration.ts'
import { daySeconds, parseTimestamp } from '../util/time.ts'
import { count, listed, number } from '../util/words.ts'
import { countNotRun } from './not-run.ts'
import { scannerName } from './scanners.ts'

type Describe = (cluster: ReceivedCluster, now: number) => string

/** Reasons for attention in words, with their numbers. */
const reasons: Record<string, Describe> = {
  compromised: ({ freshness }) => `${freshness?.compromised} compromised`,
  exploited: ({ freshness }) => `${freshness?.exploited} with an exploited vulnerability`,
  gate_failed: () => 'gate failed',
  new_critical: ({ changes }) => changesText(changes?.new_critical, changes?.regressed_critical, 'critical'),
  overdue: overdueText,
  no_scan: () => 'never scanned',
  stale_scan: () => 'scan is old',
  affected_critical: ({ freshness }) => `${freshness?.affected_critical} with a critical advisory`,
  new_high: ({ changes }) => changesText(changes?.new_high, changes?.regressed_high, 'high'),
  support_ended: ({ freshness }) => `${freshness?.ended} out of support`,
  retired: ({ freshness }) => `${freshness?.retired} of a retired project`,
  gate_undecided: () => 'gate undecided',
  checks_not_run: ({ latest_run }) => `${count(countNotRun(latest_run ?? {}) ?? 0, 'check')} not run`,
  scope_reduced: ({ latest_run }) => `${latest_run?.scope_gaps} of the scope missing`,
  score_fell: ({ latest_run }) => `score fell by ${Math.abs(latest_run?.score_delta ?? 0)}`,
  new_findings: ({ changes }) => changesText(changes?.new_findings, changes?.regressed_findings),
  affected_high: ({ freshness }) => `${freshness?.affected_high} with a high advisory`,
  support_ending: ({ freshness }) => `${freshness?.ending} near the end of support`,
  major_behind: ({ freshness }) => `${freshness?.major_behind} outdated by a major version`,
}

/** `2 new critical` or `5 critical new or regressed`. */
function changesText(added = 0, regressed = 0, severity = '') {
  const isBoth = added > 0 && regressed > 0
  const words = isBoth ? [severity, 'new or regressed'] : [added > 0 ? 'new' : 'regressed', severity]
  return [added + regressed, ...words.filter((word) => word !== '')].join(' ')
}

/** `no report for 26 h, expected every 24 h`, or `silent for 45 days; usually daily` if no interval is set. */
function overdueText({ expected_reports, expected_every, last_scan }: ReceivedCluster, now: number) {
  const every = expected_reports?.every ?? expected_every
  const age = last_scan === null ? undefined : span(now - (parseTimestamp(last_scan) ?? now))
  if (every !== null && expected_reports?.set_by === 'runs')
    return `silent for ${daysText(last_scan, now)}; usually ${rhythmText(every)}`
  const silent = age === undefined ? 'no report' : `no report for ${age}`
  return every === null ? silent : `${silent}, expected every ${span(every)}`
}

function daysText(at: string | null, now: number) {
  const seconds = now - (parseTimestamp(at ?? '') ?? now)
  return seconds < 2 * daySeconds ? span(seconds) : count(Math.floor(seconds / daySeconds), 'day')
}

function rhythmText(seconds: number) {
  const days = seconds / daySeconds
  if (Math.abs(days - 1) < 0.25) return 'daily'
  return Math.abs(days - 7) < 1 ? 'weekly' : `every ${span(seconds)}`
}

/** Why the cluster needs attention, in words, most urgent first; `now` in unix seconds. */
export function reasonsFor(
  cluster: ReceivedCluster,
  now: number,
  among: readonly string[] = cluster.attention ?? [],
): string[] {
  const { scanners = [] } = cluster
  const toText = (reason: string, of: ReceivedCluster) => reasons[reason]?.(of, now) ?? reason.replaceAll('_', ' ')
  return among.flatMap((reason) => {
    const own = scanners.filter((scanner) => scanner.attention.some((each) => each === reason))
    if (scanners.length < 2 || own.length === 0) return [toText(reason, cluster)]
    return own.map((scanner) => `${toText(reason, { ...cluster, ...scanner })} (${scannerName(scanner)})`)
  })
}

interface Unknown {
  /** The unknown, as a sentence. */
  says: string
  /** Day of the catalog, if the sentence says that it is old. */
  staleOf?: string
}

/** What is unknown about a cluster. Without reasons for attention, a cluster may still have problems. */
export function listUnknowns(cluster: ReceivedCluster, now: number): Unknown[] {
  const { artifacts = 0, catalog_date } = cluster.freshness ?? {}
  const stale = artifacts > 0 && catalog_date ? staleText(catalog_date, now) : ''
  return [
    ...currentUnknowns(cluster).map((says) => ({ says })),
    ...(stale === '' ? [] : [{ says: stale, staleOf: catalog_date! }]),
  ]
}

/** Like `listUnknowns`, as sentences. */
export const unknownsFor = (cluster: ReceivedCluster, now: number) => listUnknowns(cluster, now).map(({ says }) => says)

function currentUnknowns(cluster: ReceivedCluster) {
  const { has_figures, freshness, scanners = [] } = cluster
  const { artifacts = 0, known = 0, is_current, catalog_date } = freshness ?? {}
  return [
    ...(scanners.length < 2 ? scannerUnknowns(cluster) : unknownsOfScanners(cluster, scanners)),
    !has_figures && 'Its figures are not made yet.',
    artifacts === 0 && 'No run lists what runs.',
    artifacts > known && `${number(artifacts - known)} of ${number(artifacts)} artifacts are unknown to the catalog.`,
    is_current === false && 'Its versions were compared with an older catalog.',
    artifacts > 0 && !catalog_date && 'The day of the facts about what runs is not known.',
  ].filter((each) => each !== false)
}

/** Each said once, with the scanners that it is about. */
function unknownsOfScanners(cluster: ReceivedCluster, scanners: NonNullable<ReceivedCluster['scanners']>) {
  const all = scanners.flatMap((scanner) =>
    scannerUnknowns({ ...cluster, ...scanner }).map((text) => ({ text, name: scannerName(scanner) })),
  )
  return [...Map.groupBy(all, ({ text }) => text)].map(
    ([text, own]) => `${listed(own.map(({ name }) => name))}: ${text}`,
  )
}

function scannerUnknowns({ latest_run, gate }: ReceivedCluster) {
  return [
    ...(latest_run?.is_empty !== false ? ['It is not known whether the latest scan looked at anything.'] : []),
    ...(gate ? [] : ['No gate has judged it.']),
  ]
}

export const isUrgentReason = (reason: string) =>
  ['compromised', 'exploited', 'gate_failed', 'new_critical', 'overdue', 'no_scan'].includes(reason)

/** Wording for a fleet, after a number of clusters. */
export const clustersWith: Record<Attention, string> = {
  compromised: 'with something compromised',
  exploited: 'with exploited vulnerabilities',
  gate_failed: 'with a failed gate',
  new_critical: 'with new critical findings',
  overdue: 'silent',
  no_scan: 'never scanned',
  stale_scan: 'with an old scan',
  affected_critical: 'with critical advisories',
  new_high: 'with new high findings',
  support_ended: 'with versions out of support',
  retired: 'with something of a retired project',
  gate_undecided: 'with an undecided gate',
  checks_not_run: 'with checks that did not run',
  scope_reduced: 'with a smaller scope',
  score_fell: 'with a lower score',
  new_findings: 'with new findings',
  affected_high: 'with high advisories',
  support_ending: 'near an end of support',
  major_behind: 'a major version behind',
}

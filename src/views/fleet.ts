import { clusterAttention } from '../contract/choices.ts'
import type { FleetSummary, News, Standing } from '../contract/cluster.ts'
import type { ReceivedCluster } from '../contract/received/cluster.ts'
import { newForSeconds, reasonsOfNow } from '../reports/attention-now.ts'
import { sinceText } from '../reports/news-since.ts'
import { span } from '../util/duration.ts'
import { parseTimestamp } from '../util/time.ts'
import { count, number, signed, withoutStop } from '../util/words.ts'
import { clustersWith, isUrgentReason, reasonsFor, unknownsFor } from './attention.ts'
import { clusterText, shareText } from './finding.ts'
import { joined, named, plainText, type Said, safe, say, type Tone } from './said.ts'
import { scannedText } from './scan.ts'
import { gapMark, hasGaps, markedScore, scoreTone } from './score.ts'
import { columnsOf, type ViewColumn, type ViewVerdict } from './view.ts'

type Cluster = ReceivedCluster

export interface Fleet {
  items: Cluster[]
  total: number
  /** Undefined if the server has no figures of clusters. */
  summary?: FleetSummary | undefined
}

/** The headline about clusters. Green only if everything is known about every cluster. */
export function fleetVerdict({ items, total, summary }: Fleet, now: number): ViewVerdict {
  if (!summary) {
    const words = say`${safe(count(total, 'cluster'))} known; the server does not say which need attention`
    return { state: 'undecided', words, gaps: [] }
  }
  const { clusters } = summary
  const { attention, needs, known } = countNow(items, summary, now)
  const of = safe(count(clusters, 'cluster'))
  const groups = groupsSaid(summary, now)
  const more = [
    ...reasonLine(attention),
    ...(known > 0 ? [say`${known} more ${safe(known === 1 ? 'has' : 'have')} known problems only`] : []),
    ...groups,
  ]
  if (needs > 0) {
    return {
      state: 'failed',
      words: say`${needs} of ${of} ${safe(needs === 1 ? 'needs' : 'need')} attention`,
      gaps: [],
      more,
    }
  }
  if (clusters === 0) return { state: 'undecided', words: say`No clusters yet`, gaps: [] }
  const gaps = fleetUnknowns({ items, summary }, now)
  if (summary.standing) {
    const problems = say`Known problems in ${known} of ${of}`
    return { state: 'undecided', words: joined(groups, '. '), gaps, more: known > 0 ? [problems] : [] }
  }
  if (known > 0) return { state: 'undecided', words: say`None of ${of} needs attention now`, gaps, more }
  if (gaps.length > 0)
    return { state: 'undecided', words: say`None of ${of} is known to need attention`, gaps, more: groups }
  return {
    state: 'passed',
    words: say`None of ${of} needs attention`,
    gaps,
    more: [say`By their latest scans and the catalog`, ...groups],
  }
}

/** What is new, and what stands. */
export function groupsSaid({ news, standing }: Pick<FleetSummary, 'news' | 'standing'>, now: number): Said[] {
  const fresh = newsSaid(news, now)
  return [...(fresh ? [fresh] : []), ...(standing ? [standingSaid(standing, now)] : [])]
}

/** `New since Fri 08:00: 8 critical of 12 findings`; undefined if the server does not say. */
function newsSaid(news: News | undefined, now: number) {
  const since = newsTimeText(news ?? {}, now)
  if (!news || since === undefined) return undefined
  const { findings, critical, grown } = news
  const worse = grown ? `; ${growthText(grown)}` : ''
  if (findings === 0) return say`Nothing new since ${safe(since)}${safe(worse)}`
  const worst = critical > 0 ? `${number(critical)} critical of ` : ''
  return say`New since ${safe(since)}: ${safe(`${worst}${count(findings, 'finding')}${worse}`)}`
}

const growthText = ({ findings, from, from_of, to, to_of }: NonNullable<News['grown']>) =>
  `${number(findings)} known on more pods: ${shareText(from, from_of)} → ${shareText(to, to_of)}`

/** `Fri 08:00`: since when findings are new. */
export function newsTimeText({ since, time_zone }: Pick<News, 'since' | 'time_zone'>, now: number): string | undefined {
  const at = parseTimestamp(since ?? '')
  return at === undefined ? undefined : sinceText(at, time_zone ?? 'UTC', now)
}

/** `Standing: 1,925 critical in 3 clusters, not accepted, the oldest for 40 days; 3 out of support` */
function standingSaid({ clusters, critical, oldest_critical, affected_critical, ended }: Standing, now: number) {
  const at = parseTimestamp(oldest_critical ?? '')
  const where = clusters === undefined ? '' : ` in ${count(clusters, 'cluster')}`
  const oldest = at === undefined ? '' : `, the oldest for ${span(now - at)}`
  const parts = [
    ...(critical > 0 ? [`${number(critical)} critical${where}, not accepted${oldest}`] : []),
    ...(affected_critical > 0 ? [`${number(affected_critical)} with a critical advisory`] : []),
    ...(ended > 0 ? [`${number(ended)} out of support`] : []),
  ]
  return say`Standing: ${safe(parts.join('; '))}`
}

/** Why a fleet may need more attention than shown. */
export function fleetUnknowns(
  { items, summary }: Pick<Fleet, 'items'> & { summary: FleetSummary },
  now: number,
): Said[] {
  const { clusters, pending, never_reported = [] } = summary
  return [
    ...(pending > 0 ? [say`The figures of ${safe(count(pending, 'cluster'))} are missing or outdated`] : []),
    ...(never_reported.length > 0
      ? [say`No report ever came of ${safe(count(never_reported.length, 'cluster'))}`]
      : []),
    ...(items.length < clusters || items.some((item) => unknownsFor(item, now).length > 0)
      ? [say`Not everything is known: see each cluster`]
      : []),
  ]
}

const mostLines = 10

/** The verdict in one line, and one line per urgent cluster. */
export function fleetSummary(fleet: Fleet, now: number) {
  const { words, gaps, more: groups = [] } = fleetVerdict(fleet, now)
  const urgent = fleet.items.flatMap((item) => {
    const reasons = reasonsFor(item, now)
    return reasons.length > 0 ? [`${clusterText(item)}: ${reasons.join(', ')}`] : []
  })
  const more = urgent.length > mostLines ? [`${count(urgent.length - mostLines, 'more cluster')}`] : []
  return {
    verdict: plainText(words),
    lines: [...urgent.slice(0, mostLines), ...more, ...[...groups, ...gaps].map((said) => `${plainText(said)}.`)],
  }
}

/** For servers that do not distinguish current reasons: counts all clusters with a reason. */
function countNow(items: Cluster[], { now: found, needs_attention }: FleetSummary, now: number) {
  if (found) return { attention: found.attention, needs: found.clusters, known: found.known }
  const judged = items.map((item) => judge(item, now))
  const attention: Record<string, number> = {}
  for (const { ofNow } of judged) for (const reason of ofNow) attention[reason] = (attention[reason] ?? 0) + 1
  const needs = judged.filter(({ ofNow }) => ofNow.length > 0).length
  return { attention, needs, known: needs_attention - needs }
}

/** `2 with new critical findings, 1 silent`: number of clusters by reason. */
function reasonLine(attention: Record<string, number>) {
  const parts = clusterAttention.flatMap((reason) =>
    attention[reason] ? [[safe(`${number(attention[reason])} ${clustersWith[reason]}`)]] : [],
  )
  return parts.length > 0 ? [joined(parts, ', ')] : []
}

export interface Judged {
  /** Reasons that need attention now, most urgent first. */
  ofNow: string[]
  /** Older reasons, already known. */
  known: string[]
}

/** The overdue state that the server returns, or one derived from the age of the scan. `now` in unix seconds. */
export function judge({ attention, attention_now, last_scan }: Cluster, now: number): Judged {
  const all = attention ?? []
  const at = last_scan === null ? undefined : parseTimestamp(last_scan)
  const ofNow = attention_now ?? reasonsOfNow(all, at !== undefined && at >= now - newForSeconds)
  return { ofNow, known: all.filter((reason) => !ofNow.includes(reason)) }
}

/** Green only if all is known, and there is no reason for attention. */
export function clusterVerdict(cluster: Cluster, now: number): ViewVerdict {
  const { ofNow, known } = judge(cluster, now)
  const toText = (reasons: string[]) => [named('text', reasonsFor(cluster, now, reasons).join(', '))]
  const gaps = unknownsFor(cluster, now).map((text) => [safe(withoutStop(text))])
  const groups = groupsSaid(cluster, now)
  const more = known.length > 0 ? [say`Known: ${toText(known)}`] : []
  if (ofNow.length > 0) {
    return {
      state: 'failed',
      words: say`Needs attention`,
      more: [say`Now: ${toText(ofNow)}`, ...more, ...groups],
      gaps,
    }
  }
  if (cluster.standing) return { state: 'undecided', words: joined(groups, '. '), more, gaps }
  if (known.length > 0)
    return { state: 'undecided', words: say`Needs no attention now`, more: [...more, ...groups], gaps }
  return {
    state: gaps.length > 0 ? 'undecided' : 'passed',
    words: say`Nothing is known to need attention`,
    more: groups,
    gaps,
  }
}

/** The first reason, and the number of others: `2 new critical +5`. */
function whyText(cluster: Cluster, now: number) {
  const { ofNow, known } = judge(cluster, now)
  const [first, ...more] = reasonsFor(cluster, now, [...ofNow, ...known])
  if (first === undefined) return cluster.attention === null ? 'unknown' : null
  return more.length > 0 ? `${first} +${more.length}` : first
}

/** Red for urgent current reasons only; known ones are not repeated. */
export function attentionTone(cluster: Cluster, now: number): Tone {
  const { ofNow } = judge(cluster, now)
  return ofNow.length === 0 ? 'soft' : ofNow.some(isUrgentReason) ? 'bad' : 'warn'
}

type Run = Cluster['latest_run']

export function changeText(run: Run): string | null {
  if (run?.score_delta == null) return null
  return run.score_delta === 0 ? '0' : signed(run.score_delta)
}

export const changeTone = (run: Run): Tone => scoreTone(run?.score_delta)

export const scanTone = ({ overdue, last_scan }: Cluster): Tone | undefined =>
  overdue || last_scan === null ? 'bad' : undefined

/** Columns with one line per cluster. */
export const statusColumns = (now: number): ViewColumn<Cluster>[] =>
  Object.values(
    columnsOf<Cluster>()({
      cluster: {
        reveals: 'cluster',
        min: 12,
        cut: true,
        tone: () => 'strong',
        text: clusterText,
        link: ({ cluster_id }) => ({ page: 'cluster', cluster_id }),
      },
      score: {
        reveals: 'safe',
        align: 'right',
        text: ({ latest_run }) => markedScore(latest_run?.score, latest_run ?? {}),
      },
      change: {
        reveals: 'safe',
        align: 'right',
        text: ({ latest_run }) => changeText(latest_run),
        tone: ({ latest_run }) => changeTone(latest_run),
      },
      why: {
        title: 'Why',
        reveals: 'text',
        min: 24,
        cut: true,
        text: (cluster) => whyText(cluster, now),
        tone: (cluster) => attentionTone(cluster, now),
      },
      scanned: { text: scannedText, as: 'time', tone: scanTone, reveals: 'safe' },
    }),
  )

/** Explains marks that occur in the table. */
export function markNotes(runs: Run[]) {
  return [...(runs.some((run) => run?.score != null && hasGaps(run)) ? [`${gapMark} has gaps`] : [])]
}

/** All reasons for one cluster, one per line. */
export function reasonLines(cluster: Cluster, now: number) {
  const { ofNow, known } = judge(cluster, now)
  const lines = (reasons: string[], tone: (reason: string) => Tone) =>
    reasons.flatMap((reason) =>
      reasonsFor(cluster, now, [reason]).map((text) => [named('text', text, { tone: tone(reason) })]),
    )
  return {
    ofNow: lines(ofNow, (reason) => (isUrgentReason(reason) ? 'bad' : 'warn')),
    known: lines(known, () => 'soft'),
    unknown: unknownsFor(cluster, now).map((text) => [safe(text, 'warn')]),
  }
}

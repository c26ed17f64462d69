import type { FleetSummary } from '../contract/cluster.ts'
import { staleText } from '../contract/facts-age.ts'
import type { ReceivedCluster } from '../contract/received/cluster.ts'
import { supportSoonDays } from '../contract/thresholds.ts'
import { ago } from '../util/ago.ts'
import { formatEvery } from '../util/every.ts'
import type { UnixSeconds } from '../util/time.ts'
import { count, number } from '../util/words.ts'
import { reasonsFor } from './attention.ts'
import { attentionTone, changeText, changeTone, newsTimeText, scanTone } from './fleet.ts'
import { judgedLatest, recordedTone } from './gate.ts'
import { gateSaid } from './run.ts'
import { changesFigure, gapsFigure, unknownFigure } from './run-figures.ts'
import { joined, named, plainText, safe, say } from './said.ts'
import { scannedText } from './scan.ts'
import type { ScannerRow } from './scanners.ts'
import { gapsText, hasGaps, markedScore, scoreChange, scoreSaid } from './score.ts'
import { titled, titles } from './titles.ts'
import { columnsOf, counted, type Detail, detail, type Figure, type Note, noteIn, optional } from './view.ts'

type Cluster = ReceivedCluster
type Row = ScannerRow<Cluster>

const columns = columnsOf<Row>()({
  cluster: {
    text: ({ cluster_name }) => cluster_name,
    reveals: 'cluster',
    said: ({ cluster_id, cluster_name, labels }) => [
      named('cluster', cluster_name, { tone: 'strong', link: { page: 'cluster', cluster_id } }),
      ...(labels?.length ? [safe(' '), named('text', labels.join(', '), { tone: 'soft' })] : []),
    ],
    tone: () => 'strong',
    min: 12,
  },
  environment: { text: ({ environment }) => environment, reveals: 'environment', min: 4 },
  scanner: {
    text: ({ scanner, latest_run }) => scanner ?? latest_run?.format ?? null,
    said: ({ scanner, latest_run }) =>
      latest_run ? [{ ...named('text', scanner ?? latest_run.format), as: 'word' }] : [],
    reveals: 'text',
    min: 5,
  },
  score: {
    reveals: 'safe',
    align: 'right',
    text: ({ latest_run }) => optional(scoreSaid(latest_run), plainText),
    said: ({ latest_run }) => scoreSaid(latest_run) ?? [safe('n/a')],
    data: ({ latest_run }) => markedScore(latest_run?.score, latest_run ?? {}),
  },
  change: {
    reveals: 'safe',
    tone: ({ latest_run }) => changeTone(latest_run),
    text: ({ latest_run }) => plainText(changeSaid(latest_run)),
    said: ({ latest_run }) => changeSaid(latest_run),
    brief: ({ latest_run }) => changeText(latest_run),
    data: ({ latest_run }) => signedData(latest_run?.score_delta),
    align: 'right',
    from: 70,
  },
  /** Scores that a medium may draw as a sparkline. */
  trend: { reveals: 'safe', from: 90, text: ({ scores }) => (scores ?? []).map((score) => score ?? '').join(' ') },
  scanned: {
    reveals: 'safe',
    as: 'time',
    tone: scanTone,
    text: scannedText,
    said: (cluster) => [
      cluster.last_scan === null
        ? safe(scannedText(cluster), 'bad')
        : { ...safe(cluster.last_scan, cluster.overdue ? 'bad' : undefined), as: 'time' },
      ...(cluster.overdue ? [safe(', overdue', 'bad')] : []),
    ],
  },
  new: counted(({ changes }) => changes?.new_findings, { from: 110 }),
  regressed: counted(({ changes }) => changes?.regressed_findings, { from: 120 }),
  changes: {
    title: 'New or regressed',
    reveals: 'safe',
    align: 'right',
    text: ({ changes }) => withAccepted(optional(worseOf(changes), number) ?? 'n/a', changes?.accepted_findings),
    data: ({ changes }) => worseOf(changes) ?? null,
  },
  behind: {
    reveals: 'safe',
    align: 'right',
    from: 100,
    text: behindText,
    brief: (row) => optional(behindOf(row), number),
    data: (row) => behindOf(row) ?? null,
  },
  support: {
    title: 'Out of support',
    reveals: 'safe',
    text: (row) => plainText(supportFor(row)),
    said: supportFor,
    data: ({ freshness }) => freshness?.ended ?? null,
  },
})

/** Columns of clusters by their latest runs; if a cluster has several scanners, each has a row. */
export function clusterColumns(now: UnixSeconds) {
  return {
    ...columns,
    ...columnsOf<Row>()({
      attention: {
        title: 'Attention',
        reveals: 'text',
        tone: (row) => attentionTone(row, now),
        text: (row) => reasonsFor(row, now).join(', ') || (row.has_figures ? 'none known' : 'not known yet'),
        data: ({ attention }) => attention?.join(' ') ?? 'unknown',
      },
      gate: {
        reveals: 'safe',
        text: ({ gate }) => gate?.verdict ?? 'not judged',
        data: ({ gate }) => gate?.verdict ?? null,
        tone: (row) => (row.gate ? recordedTone(row.gate, judgedLatest(row, now), now) : undefined),
      },
    }),
  }
}

const signedData = (delta: number | null | undefined) =>
  delta == null ? null : delta > 0 ? `+${delta}` : String(delta)
const changeSaid = (run: Cluster['latest_run']) => scoreChange(run?.score_delta)
const withAccepted = (text: string, accepted = 0) => (accepted > 0 ? `${text} (+ ${number(accepted)} accepted)` : text)
const worseOf = (changes: Cluster['changes']): number | null | undefined =>
  changes && changes.new_findings + changes.regressed_findings

/** Undefined if no run has an inventory. */
function behindOf({ freshness }: Cluster) {
  if (!freshness || freshness.artifacts === 0) return undefined
  return freshness.minor_behind + freshness.major_behind
}

/** Includes Kubernetes, which can be outdated too. */
function behindText(cluster: Cluster) {
  const behind = behindOf(cluster)
  if (behind === undefined) return 'n/a'
  const all = (cluster.freshness?.artifacts ?? 0) + (cluster.kubernetes_version === null ? 0 : 1)
  return `${number(behind)} of ${number(all)}`
}

function supportFor({ freshness }: Cluster) {
  const { artifacts = 0, ended = 0, ending = 0 } = freshness ?? {}
  if (ended + ending === 0) return [safe(artifacts === 0 ? 'n/a' : 'none known')]
  return joined(
    [
      ...(ended > 0 ? [[safe(`${number(ended)} ended`, 'bad')]] : []),
      ...(ending > 0 ? [[safe(`${number(ending)} soon`, 'warn')]] : []),
    ],
    ', ',
  )
}

/** Figures of one scanner's latest run. */
export function scannerFigures({ latest_run: run, changes, news }: Row, now: UnixSeconds): Figure[] {
  const since = newsTimeText(news ?? {}, now)
  const changed =
    run?.score_delta == null
      ? say`No earlier score of the same checks is known.`
      : say`${changeSaid(run)}${since && safe(` since ${since}`)}`
  return [
    { key: 'score', title: titles.score_out_of_100, value: scoreSaid(run) ?? [safe('n/a')], more: changed },
    changesFigure(changes ?? undefined, 'The figures are not made yet.'),
    gapsFigure(run),
  ]
}

/** Like `scannerFigures`, as lines of text. */
export function scannerDetails(row: Row, now: UnixSeconds): Detail[] {
  const { latest_run: run, changes, gate, last_scan, overdue, cluster_id } = row
  const age = last_scan === null ? '' : ` (${ago(last_scan, now)})`
  const scanned = say`${safe(`${scannedText(row)}${age}`)}${overdue && safe(', overdue', 'bad')}`
  const changed = run?.score_delta != null && say` (${changeSaid(run)})`
  const gaps = run && hasGaps(run) && safe(`, with gaps: ${gapsText(run)}`, 'warn')
  return [
    detail('Scanned', scanned),
    detail('Latest run', run ? [named('id', run.run_id)] : say`none`),
    {
      ...detail('Score', run?.score == null ? say`none` : say`${safe(markedScore(run.score, run)!)}${changed}${gaps}`),
      key: 'score',
    },
    detail('Changes', [
      safe(
        changes
          ? `${changes.new_findings} new, ${changes.regressed_findings} regressed, ${changes.resolved_findings} resolved`
          : 'unknown',
      ),
    ]),
    ...(cluster_id ? [detail('Gate', gateSaid(gate, judgedLatest(row, now), now))] : []),
  ]
}

/** Figures of the artifacts in a cluster. */
export const inventoryFigures = (cluster: Cluster) => [behindFigure(cluster), supportFigure(cluster)]

const noInventory = say`No run lists what runs.`

function behindFigure(cluster: Cluster): Figure {
  const { freshness, kubernetes_version: kubernetes } = cluster
  const behind = behindOf(cluster)
  if (!freshness || behind === undefined) return unknownFigure('behind', 'Behind', noInventory)
  const { artifacts, known, minor_behind: minor, major_behind: major, affected } = freshness
  const { compromised = 0, exploited = 0, retired = 0 } = freshness
  const states = [
    `${number(affected)} affected by advisories`,
    ...(compromised > 0 ? [`${number(compromised)} compromised`] : []),
    ...(exploited > 0 ? [`${number(exploited)} with an exploited vulnerability`] : []),
    ...(retired > 0 ? [`${number(retired)} of retired projects`] : []),
  ]
  const of = `of ${count(artifacts, 'artifact')}${kubernetes === null ? '' : ' and Kubernetes'}`
  const isBad = major + affected + compromised + retired > 0
  return {
    ...titled('behind'),
    value: say`${behind}`,
    data: behind,
    tone: isBad ? 'bad' : minor > 0 ? 'warn' : undefined,
    more: [safe(`${of}; ${number(artifacts - known)} unknown, ${states.join(', ')}`)],
  }
}

const endingText = (many: number) => (many === 0 ? 'None ends' : `${number(many)} ${many === 1 ? 'ends' : 'end'}`)

function supportFigure({ freshness }: Cluster): Figure {
  const { artifacts = 0, ended = 0, ending = 0 } = freshness ?? {}
  if (artifacts + ended + ending === 0) return unknownFigure('support', 'Out of support', noInventory)
  const rest = artifacts === 0 ? 'Only Kubernetes is known.' : 'Versions without a known end date are not counted.'
  return {
    key: 'support',
    title: 'Out of support',
    value: say`${ended}`,
    data: ended,
    tone: ended > 0 ? 'bad' : ending > 0 ? 'warn' : undefined,
    more: [safe(`${endingText(ending)} in the next ${supportSoonDays} days. ${rest}`)],
  }
}

/** `every 24h, by the schedule of an agent`; undefined if there is no interval. */
export function expectedText({ expected_every, expected_reports: expected }: Cluster): string | undefined {
  const seconds = expected?.every ?? expected_every
  if (seconds == null) return undefined
  return `every ${formatEvery(seconds)}${expected?.set_by === 'agent' ? ', by the schedule of an agent' : ''}`
}

/** The status of artifacts in a single cluster, in words. */
export function versionsText({ freshness }: Cluster) {
  if (!freshness) return 'unknown'
  if (freshness.artifacts === 0) return 'no run lists what runs there'
  const { artifacts, known, minor_behind, major_behind, affected, ended, ending } = freshness
  const { compromised = 0, exploited = 0, retired = 0 } = freshness
  // Kubernetes can be outdated, but does not count as an artifact.
  const counts = `${minor_behind + major_behind} behind (${major_behind} major), ${known} of ${artifacts} artifacts known`
  const supports = `${ended} out of support, ${ending} near its end${retired > 0 ? `, ${retired} of retired projects` : ''}`
  const first = compromised > 0 ? `${compromised} compromised; ` : ''
  const used = exploited > 0 ? ` (${exploited} exploited)` : ''
  const stale = freshness.is_current ? '' : ', by an older catalog'
  return `${first}${counts}; ${affected} with advisories${used}; ${supports}${stale}`
}

/** Day of the oldest facts about running projects. */
export const oldestCatalog = (clusters: Cluster[]): string | undefined =>
  clusters.flatMap(({ freshness }) => freshness?.catalog_date ?? []).sort()[0]

/** Limitations of a list of clusters. */
export function clusterNotes(clusters: Cluster[], { pending }: FleetSummary, now: UnixSeconds): Note[] {
  const stale = staleText(oldestCatalog(clusters), now)
  const missing = `The figures of ${count(pending, 'cluster')} are missing or outdated. They are being made. Reload in a moment.`
  return [
    ...(stale === '' ? [] : [noteIn('warn', [safe(stale)])]),
    ...(pending > 0 ? [noteIn('warn', [safe(missing)])] : []),
  ]
}

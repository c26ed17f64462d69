import type { AdvisoryLookUps, FactSync, SourceOutcome } from '../../../admin/catalog.ts'
import { paint } from '../../../render/terminal/draw.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { formatTimestamp, timestampOrNull } from '../../../util/time.ts'
import { andMore, count, listed } from '../../../util/words.ts'
import { triedTone, undoneTone } from '../../../views/outcome.ts'
import { titles } from '../../../views/titles.ts'
import type { Io } from '../../output/io.ts'
import { member } from '../../output/output.ts'

type SyncAnswer = ReturnType<typeof syncAnswer>
type SyncedSource = SyncAnswer['sources'][number]

export function syncAnswer(
  outcomes: SourceOutcome[],
  {
    isDry,
    total,
    advisories,
    facts,
  }: {
    isDry: boolean
    /** Number of sources to sync. An interrupted sync has read fewer. */
    total: number
    /** Advisories that releases mention, and that were looked up. */
    advisories: AdvisoryLookUps
    /** Outcomes of fact lists; empty for a dry run. */
    facts: FactSync[]
  },
) {
  const summary = { changed: 0, unchanged: 0, absent: 0, unreachable: 0, limited: 0, added: 0, updated: 0 }
  for (const { outcome, added, updated } of outcomes) {
    summary[outcome]++
    summary.added += added
    summary.updated += updated
  }
  const sources = bySlug(outcomes).map(({ projectId, retryAt, news, noAnswer: _, ...source }) => ({
    project_id: projectId,
    ...source,
    retry_at: timestampOrNull(retryAt),
    news: news.map(({ publishedAt, ...one }) => ({ ...one, published_at: formatTimestamp(publishedAt) })),
  }))
  return { success: true, dry_run: isDry, total, summary, advisories, facts, sources }
}

const bySlug = (outcomes: readonly SourceOutcome[]) =>
  outcomes.toSorted((a, b) => (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : a.kind < b.kind ? -1 : 1))

export const sourceColumns = (): Column<SyncedSource>[] => [
  { title: titles.project, value: member('slug') },
  { title: titles.source, value: member('kind') },
  { title: titles.outcome, value: member('outcome') },
  { title: titles.new, value: member('added'), align: 'right' },
  { title: 'Updated', value: member('updated'), align: 'right' },
  { title: titles.reason, value: ({ reason }) => reason ?? '', min: 20 },
]

const shown = 20

/** Lists new releases, failures with their reasons, and a summary. */
export function renderSummary(
  io: Io,
  { sources, summary, advisories, facts, dry_run, total }: SyncAnswer,
  { outcomes, now }: { outcomes: readonly SourceOutcome[]; now: number },
) {
  const news = toNews(sources)
  const failed = bySlug(outcomes).filter(({ outcome }) => ['absent', 'unreachable', 'limited'].includes(outcome))
  const lines = [
    ...cut(news, (one) => `${paint(io, triedTone(true))('+')} ${plain(one.slug)}: ${plain(describeNews(one))}`),
    ...cut(toFailures(failed), (text) => `${paint(io, undoneTone)('!')} ${plain(text)}`),
    `${sources.length} of ${count(total, 'source')}: ${counts(summary)}`,
    `${dry_run ? 'Would add' : 'Added'} ${summary.added} and ${dry_run ? 'update' : 'updated'} ${count(summary.updated, 'release')}`,
    ...asked(advisories),
    ...cut(facts.flatMap(factLine), (line) => line),
    ...whenToGoOn(sources, now),
  ]
  return `${lines.join('\n')}\n`
}

/** One line per reason, most frequent first: without a network, all sources fail for the same one. */
function toFailures(failed: readonly SourceOutcome[]) {
  const groups = Map.groupBy(failed, ({ reason, outcome, noAnswer }) => noAnswer?.why ?? reason ?? outcome)
  return [...groups]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([why, group]) => {
      const [{ slug, kind, reason, outcome }] = group as [SourceOutcome]
      if (group.length === 1) return `${slug} (${kind}): ${reason ?? outcome}`
      const places = group.map(({ noAnswer, slug, kind }) => noAnswer?.host ?? `${slug} (${kind})`)
      return `${group.length} sources: ${why}: ${listed([...new Set(places)])}`
    })
}

type News = Pick<SyncedSource, 'slug' | 'added' | 'updated' | 'news'>

/** News by project, from all of its sources. */
function toNews(sources: SyncedSource[]) {
  const some = Map.groupBy(
    sources.filter(({ added, updated }) => added + updated > 0),
    ({ slug }) => slug,
  )
  return [...some].map(([slug, own]) => ({
    slug,
    added: own.reduce((sum, { added }) => sum + added, 0),
    updated: own.reduce((sum, { updated }) => sum + updated, 0),
    news: own.flatMap(({ news }) => news).toSorted((a, b) => (a.published_at < b.published_at ? 1 : -1)),
  }))
}

function cut<T>(all: T[], line: (one: T) => string) {
  const rest = all.length - shown
  return [...all.slice(0, shown).map(line), ...(rest > 0 ? [`  ${andMore(rest)}; --json lists all`] : [])]
}

const shownVersions = 3

/** `2 new, 1 updated: v3.2.1, v3.1.9 (no longer a pre-release)` */
function describeNews({ added, updated, news }: News) {
  const sum = [added > 0 && `${added} new`, updated > 0 && `${updated} updated`].filter(Boolean).join(', ')
  const remarked = new Map(news.map(({ version }) => [version, '']))
  for (const { version, kind } of news) if (remarks[kind]) remarked.set(version, remarks[kind])
  const versions = [...remarked].slice(0, shownVersions).map(([version, remark]) => version + remark)
  const rest = remarked.size > shownVersions ? ', …' : ''
  return versions.length === 0 ? sum : `${sum}: ${versions.join(', ')}${rest}`
}

const remarks = { release: '', promotion: ' (no longer a pre-release)', security: ' (now known as a security fix)' }

function counts(summary: SyncAnswer['summary']) {
  const kinds = ['changed', 'unchanged', 'absent', 'unreachable', 'limited'] as const
  const some = kinds.filter((kind) => summary[kind] > 0).map((kind) => `${summary[kind]} ${kind}`)
  return some.join(', ') || 'no sources'
}

function asked({ asked, found, unanswered }: AdvisoryLookUps) {
  if (asked === 0) return []
  const again = unanswered > 0 ? `; ${unanswered} failed, to be retried on the next sync` : ''
  return [`Looked up ${count(asked, 'advisory', 'advisories')}, ${found} found${again}`]
}

const factNames: Partial<Record<FactSync['source'], string>> = {
  kev: 'Exploited vulnerabilities',
  github: 'Archived repositories',
  helm: 'Deprecated charts',
  k3s: 'Releases that k3s leaves out',
  rke2: 'Releases that RKE2 leaves out',
  file: 'Your own facts',
}

function factLine({ source, outcome, reason, facts, as_of }: FactSync) {
  const name = factNames[source] ?? `Kubernetes ranges of ${source}`
  if (outcome === 'unchanged') return []
  if (outcome === 'changed') return [`${name}: ${facts}, as of ${as_of}`]
  return [`${name}: ${plain(reason ?? outcome)}`]
}

function whenToGoOn(sources: SyncedSource[], now: number) {
  const times = sources.flatMap(({ outcome, retry_at }) => (outcome === 'limited' && retry_at ? [retry_at] : []))
  if (times.length === 0) return []
  const [first] = times.toSorted()
  return first! > formatTimestamp(now) ? [`Rate-limited. Run \`relt catalog sync\` again after ${first} UTC.`] : []
}

import { offeringNames } from '../../contract/choices.ts'
import type { ReceivedFreshness, ReceivedFreshnessItem } from '../../contract/received/cluster-report.ts'
import { advisoryEdge } from '../../freshness/advisory-edge.ts'
import { breakable, clean, html, type Markup } from '../../render/html/markup.ts'
import { type HtmlColumn, table } from '../../render/html/table.ts'
import { count, number } from '../../util/words.ts'
import { advisoryWord } from '../../views/advisory-word.ts'
import { statusTone, statusWord, urgencyOf } from '../../views/artifact.ts'
import { hasBadState } from '../../views/state.ts'
import { stepCell } from '../../views/step-cell.ts'
import type { RunReport } from './report.ts'
import { missingText } from './words.ts'

export function statusMarkup(item: Parameters<typeof statusTone>[0]): Markup {
  const tone = statusTone(item)
  return tone === 'none' ? html`${statusWord(item)}` : html`<span class="${tone}">${statusWord(item)}</span>`
}

/** Outdated or affected artifacts with their next step, unknown ones with the reason, then current ones. */
export function renderFreshness({ freshness }: RunReport): Markup {
  if (!freshness.found) return missingText(freshness.missing)
  const { found } = freshness
  const { items, coverage } = found
  if (items.length === 0) return missingText('The report does not say what runs. Add an inventory to the next upload.')
  const open = items.filter(needsAttention).sort((a, b) => urgencyOf(b) - urgencyOf(a))
  const unknown = items.filter((item) => item.status === 'unknown' && !item.vendor_component && !needsAttention(item))
  const current = items.filter((item) => item.status === 'up_to_date' && !needsAttention(item))
  return html`<p>${number(open.length)} of ${count(items.length, 'artifact')} behind, affected or out of support; ${number(unknown.length)} unknown; ${number(current.length)} current. ${managedText(items)}${hasOnlyKubernetes(items) && kubernetesAlone}</p>
<p class="note">${advisoryEdge(coverage)}</p>
${open.length > 0 && table(columnsOf(found), open, { caption: 'Behind, affected by an advisory, or out of support' })}
${
  unknown.length > 0 &&
  html`<h3>Unknown (${number(unknown.length)})</h3>
${table(
  [
    { title: 'Artifact', value: (item) => breakable(artifactText(item)) },
    { title: 'Runs', value: ({ current_version }) => clean(current_version, 100) || '-' },
    { title: 'Why', value: ({ reason }) => breakable(clean(reason, 400) || 'No reason is given.') },
  ],
  unknown,
  { caption: 'Not measured: these may be outdated' },
)}`
}
${
  current.length > 0 &&
  html`<h3>Current (${number(current.length)})</h3>
<ul class="names">${current.slice(0, 500).map((item) => html`<li>${breakable(artifactText(item))} ${clean(item.current_version, 100)}</li>`)}</ul>${current.length > 500 && html`<p class="note">${number(current.length - 500)} more are left out.</p>`}`
}`
}

/** The report does not say what else runs, so that nothing of it is measured. */
export const hasOnlyKubernetes = (items: Pick<ReceivedFreshnessItem, 'artifact_type'>[]): boolean =>
  items.length > 0 && items.every(({ artifact_type }) => artifact_type === 'kubernetes')

export const kubernetesAlone = 'Only Kubernetes is known: the report lists nothing else that runs.'

function needsAttention({ status, advisories_count, eol, states }: ReceivedFreshnessItem): boolean {
  return status.endsWith('_behind') || (advisories_count ?? 0) > 0 || eol?.is_eol === true || hasBadState({ states })
}

const typeWords = { image: '', helm_chart: 'chart ', app: 'app ', kubernetes: '' } as const

/** Without the version, which has its own column. */
export function artifactText({ artifact_type, display_name, current_version }: ReceivedFreshnessItem): string {
  const full = display_name ?? 'unknown'
  const short = current_version && full.endsWith(current_version) ? full.slice(0, -current_version.length - 1) : full
  return `${artifact_type ? typeWords[artifact_type] : ''}${clean(short, 250)}`
}

function columnsOf(freshness: ReceivedFreshness): HtmlColumn<ReceivedFreshnessItem>[] {
  const hasSecurityFacts = (freshness.coverage?.security_known ?? 0) > 0
  return [
    { title: 'Artifact', value: (item) => html`${breakable(artifactText(item))}${whereText(item)}` },
    { title: 'Runs', value: ({ current_version }) => clean(current_version, 100) || '-' },
    { title: 'Status', value: statusMarkup },
    { title: 'Next safe step', value: (item) => clean(stepCell(item), 300) },
    { title: 'Newest', value: ({ latest_version }) => clean(latest_version, 100) || 'unknown' },
    { title: 'Security fixes between', value: (item) => securityText(item, hasSecurityFacts) },
    {
      title: 'Advisories',
      value: (item) =>
        item.artifact_type === 'helm_chart'
          ? 'not counted for charts'
          : item.advisories_count === null
            ? 'unknown'
            : clean(advisoryWord(item), 100).replace(/^(\d+) \?$/, '$1 not comparable'),
    },
    { title: 'Behind', value: behindText },
  ]
}

const mostPlaces = 2

function whereText({ workloads, namespace }: ReceivedFreshnessItem): Markup | false {
  const places = workloads?.length ? workloads : namespace ? [namespace] : []
  const more = places.length - mostPlaces
  return (
    places.length > 0 &&
    html`<br><span class="soft">in ${breakable(clean(places.slice(0, mostPlaces).join(', '), 250))}${more > 0 && ` and ${more} more`}</span>`
  )
}

export function securityText(item: ReceivedFreshnessItem, hasFacts: boolean): string {
  const { security_fixes_between: fixes, highest_severity_between: worst } = item
  if (fixes === null) return 'unknown'
  if (fixes === 0) return (item.security_facts ?? hasFacts) ? 'none known' : 'unknown'
  return `${number(fixes)}${worst && worst !== 'none' ? `, at worst ${worst}` : ''}`
}

export function behindText({
  releases_behind,
  releases_behind_at_least,
  days_behind,
  eol,
}: ReceivedFreshnessItem): Markup {
  const parts = [
    ...(eol?.is_eol ? ['out of support'] : []),
    ...(releases_behind ? [`${releases_behind_at_least ? 'at least ' : ''}${count(releases_behind, 'release')}`] : []),
    ...(days_behind ? [count(days_behind, 'day')] : []),
  ]
  return html`${parts.join(', ') || '-'}`
}

function managedText(items: ReceivedFreshnessItem[]): string {
  const byOffering = Map.groupBy(
    items.filter(({ vendor_component }) => vendor_component),
    ({ managed_by }) => managed_by ?? 'the offering',
  )
  return [...byOffering]
    .map(([id, { length }]) => `${count(length, 'component')} of ${offeringNames[id] ?? clean(id, 50)} not counted.`)
    .join(' ')
}

const soonDays = 180

/** Cycles whose support has ended or ends soon, the first end first. */
export function renderSupport({ freshness, madeAt }: RunReport): Markup {
  if (!freshness.found) return missingText(freshness.missing)
  const dated = freshness.found.items.flatMap((item) => (item.eol ? [{ item, eol: item.eol }] : []))
  if (dated.length === 0) return missingText('The catalog knows no end of support of what runs.')
  const soon = new Date((madeAt + soonDays * 86_400) * 1000).toISOString().slice(0, 10)
  const rows = dated
    .filter(
      ({ item, eol }) => item.artifact_type === 'kubernetes' || eol.is_eol || (eol.date !== null && eol.date <= soon),
    )
    .sort((a, b) => Number(b.eol.is_eol) - Number(a.eol.is_eol) || ((a.eol.date ?? '9') < (b.eol.date ?? '9') ? -1 : 1))
  const known = `Known for ${number(dated.length)} of ${count(freshness.found.items.length, 'artifact')}.`
  if (rows.length === 0) return html`<p>No known support has ended or ends within ${soonDays} days. ${known}</p>`
  return html`<p class="note">Ended, or ending within ${soonDays} days. ${known}</p>
${table(
  [
    { title: 'Artifact', value: ({ item }) => breakable(artifactText(item)) },
    { title: 'Runs', value: ({ item }) => clean(item.current_version, 100) || '-' },
    { title: 'Cycle', value: ({ eol }) => `${clean(eol.cycle, 50)}${eol.is_lts ? ' (LTS)' : ''}` },
    {
      title: 'Support',
      value: ({ eol }) =>
        eol.is_eol
          ? html`<span class="bad">${eol.date === null ? 'ended' : `ended on ${clean(eol.date, 10)}`}</span>`
          : eol.date === null
            ? 'no end is announced'
            : html`<span class="${eol.date <= soon && 'warn'}">until ${clean(eol.date, 10)}</span>`,
    },
  ],
  rows,
  { caption: 'Ends of support' },
)}`
}

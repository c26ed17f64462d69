import { offeringNames } from '../../contract/choices.ts'
import type { ReceivedFreshnessItem } from '../../contract/received/cluster-report.ts'
import { supportSoonDays } from '../../contract/thresholds.ts'
import { drawColumns, drawSaid } from '../../render/html/draw.ts'
import { breakable, clean, html, type Markup } from '../../render/html/markup.ts'
import { table } from '../../render/html/table.ts'
import { count, listed, number } from '../../util/words.ts'
import { advisoryEdge } from '../../views/advisory-edge.ts'
import { byUrgency, isOpen, needsAttention } from '../../views/artifact.ts'
import { hasOnlyKubernetes, kubernetesAlone, nothingRuns } from '../../views/freshness.ts'
import { freshnessColumns, typedName } from '../../views/freshness-columns.ts'
import { endsSoon, supportSaid } from '../../views/support.ts'
import { titles } from '../../views/titles.ts'
import { renderCustomResources } from './custom-resources.ts'
import { renderNodes } from './nodes.ts'
import type { RunReport } from './report.ts'
import { renderWanted } from './wanted.ts'
import { missingText } from './words.ts'

/** Outdated or affected artifacts with their next step, unknown ones with the reason, then current ones. */
export function renderFreshness({ freshness, madeAt }: RunReport): Markup {
  if (!freshness.found) return missingText(freshness.missing)
  const { items, coverage } = freshness.found
  if (items.length === 0) return missingText(nothingRuns)
  const open = items.filter(needsAttention).sort(byUrgency)
  const unknown = items.filter((item) => isOpen(item) && !needsAttention(item))
  const current = items.filter((item) => item.status === 'up_to_date' && !needsAttention(item))
  const columns = freshnessColumns({ now: madeAt, hasSecurityFacts: (coverage?.security_known ?? 0) > 0 })
  const { artifact, runs, status, step, newest, fixes, advisories, behind, reason } = columns
  const [first, ...others] = drawColumns([artifact, runs, status, step, newest, fixes, advisories, behind])
  const placed = { ...first!, value: (item: ReceivedFreshnessItem) => html`${first!.value(item)}${whereText(item)}` }
  return html`<p>${number(open.length)} of ${count(items.length, 'artifact')} ${open.length === 1 ? 'needs' : 'need'} an upgrade; ${number(unknown.length)} unknown; ${number(current.length)} current. ${managedText(items)}${hasOnlyKubernetes(items) && kubernetesAlone}</p>
<p class="note">${advisoryEdge(coverage)}</p>
${open.length > 0 && table([placed, ...others], open, { caption: 'Behind, affected by an advisory, or out of support' })}
${
  unknown.length > 0 &&
  html`<h3>Unknown (${number(unknown.length)})</h3>
${table(drawColumns([artifact, runs, reason]), unknown, { caption: 'Not measured: these may be outdated' })}`
}
${
  current.length > 0 &&
  html`<h3>Current (${number(current.length)})</h3>
<ul class="names">${current.slice(0, 500).map((item) => html`<li>${breakable(clean(typedName(item), 250))} ${clean(item.current_version, 100)}</li>`)}</ul>${current.length > 500 && html`<p class="note">${number(current.length - 500)} more are left out.</p>`}`
}
${renderWanted(freshness.found)}
${renderCustomResources(freshness.found)}`
}

const mostPlaces = 2

function whereText({ workloads, namespace }: ReceivedFreshnessItem): Markup | false {
  const places = workloads?.length ? workloads : namespace ? [namespace] : []
  const shown = places.map((place) => clean(place, 120))
  return places.length > 0 && html`<br><span class="soft">in ${breakable(listed(shown, mostPlaces))}</span>`
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

/** Cycles whose support has ended or ends soon, and what the nodes run. */
export function renderSupport(report: RunReport): Markup {
  const { freshness, madeAt } = report
  if (!freshness.found) return missingText(freshness.missing)
  return html`${renderEnds(report)}${renderNodes(freshness.found, madeAt)}`
}

/** The first end first. */
function renderEnds({ freshness, madeAt }: RunReport): Markup {
  if (!freshness.found) return missingText(freshness.missing)
  const dated = freshness.found.items.flatMap((item) => (item.eol ? [{ item, eol: item.eol }] : []))
  if (dated.length === 0) return missingText('The catalog knows no end of support of what runs.')
  const rows = dated
    .filter(({ item, eol }) => item.artifact_type === 'kubernetes' || eol.is_eol || endsSoon(eol, madeAt))
    .sort((a, b) => Number(b.eol.is_eol) - Number(a.eol.is_eol) || ((a.eol.date ?? '9') < (b.eol.date ?? '9') ? -1 : 1))
  const known = `Known for ${number(dated.length)} of ${count(freshness.found.items.length, 'artifact')}.`
  const soon = `within ${supportSoonDays} days`
  if (rows.length === 0) return html`<p>No known support has ended or ends ${soon}. ${known}</p>`
  return html`<p class="note">Ended, or ending ${soon}. ${known}</p>
${table(
  [
    { title: titles.artifact, value: ({ item }) => breakable(clean(typedName(item), 250)) },
    { title: titles.runs, value: ({ item }) => clean(item.current_version, 100) || '-' },
    { title: 'Cycle', value: ({ eol }) => `${clean(eol.cycle, 50)}${eol.is_lts ? ' (LTS)' : ''}` },
    { title: 'Support', value: ({ eol }) => drawSaid(supportSaid(eol, madeAt)) },
  ],
  rows,
  { caption: 'Ends of support' },
)}`
}

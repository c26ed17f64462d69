import type { UpgradePlan } from '../../contract/upgrade.ts'
import type { FleetUpgrade } from '../../contract/upgrade-fleet.ts'
import { ReltError } from '../../errors.ts'
import { drawColumns, drawNote, drawSaid } from '../../render/html/draw.ts'
import { clean, html, name } from '../../render/html/markup.ts'
import {
  basisNote,
  isOwnersPart,
  ownedColumns,
  ownedNote,
  partColumns,
  planNotes,
  sortedParts,
  stepColumns,
} from '../../views/upgrade.ts'
import { fleetStepColumns, fleetVerdict, plannedColumns } from '../../views/upgrade-fleet.ts'
import { planDetails, planVerdict } from '../upgrade-steps.ts'
import { filterForm } from './form.ts'
import { inkFor } from './ink.ts'
import { pageRows, showTable } from './page-table.ts'
import { type Call, given, type Query, type View, type WebPage } from './view.ts'
import { banner, section } from './words.ts'

export const upgradePage: WebPage = {
  path: '/upgrade',
  heavy: true,
  nav: 'Upgrade',
  for: 'pro',
  filters: ['cluster_name', 'environment', 'label', 'to', 'owner'],
  async show({ query, view, call }) {
    const form = filterForm(view, [
      { name: 'cluster_name', label: 'Cluster', type: 'search' },
      { name: 'environment', label: 'Environment', type: 'search', isRare: true },
      { name: 'label', label: 'Label', type: 'search', isRare: true },
      { name: 'to', label: 'To Kubernetes', type: 'search', hint: '1.36, latest or supported' },
      { name: 'owner', label: 'Owner', type: 'search', isRare: true, hint: '- for what nobody owns' },
    ])
    const body = await (query.cluster_name ? onePlan(query, view, call) : fleetPlan(query, view, call)).catch(
      (error) => {
        if (!(error instanceof ReltError) || !['invalid_param', 'not_found'].includes(error.code)) throw error
        return banner(
          'undecided',
          'There is no plan',
          clean([error.message, error.hint].filter(Boolean).join(' '), 500),
        )
      },
    )
    return { title: 'Upgrade', body: html`<h1>Upgrade of Kubernetes</h1>${form}${body}` }
  },
}

async function fleetPlan(query: Query, view: View, call: Call) {
  const found = await call('getFleetUpgrade', { query: given(query, ['label', 'to']) })
  const ink = inkFor(view)
  const own = ownSteps(found.steps, query)
  const [first, ...others] = drawColumns(plannedColumns, ink)
  const linked = {
    ...first!,
    value: ({ cluster_name, environment }: (typeof found.clusters)[number]) =>
      view.link('/upgrade', html`${name(cluster_name)} (${name(environment)})`, {
        cluster_name,
        environment,
        to: query.to,
      }),
  }
  return html`<p>${drawSaid(fleetVerdict(found), ink)}. Facts of ${clean(found.catalog_date, 10)}.</p>
${section(
  'clusters',
  'Clusters',
  showTable(view, {
    id: 'clusters',
    caption: 'Clusters, those to upgrade first at the top',
    columns: [linked, ...others],
    ...pageRows(view, found.clusters),
    json: found.clusters,
    empty: 'No cluster has a report.',
  }),
)}
${section(
  'steps',
  'Steps, each once',
  html`${ownerNote(found.steps, query, view)}${showTable(view, {
    id: 'steps',
    caption: 'Steps over all clusters, in order',
    columns: drawColumns(ownedColumns(fleetStepColumns, found.steps), ink),
    rows: own,
    json: own,
    most: 200,
    empty: 'No step is needed.',
  })}`,
)}`
}

async function onePlan(query: Query, view: View, call: Call) {
  const plan = await call('getUpgradePlan', { query: given(query, ['cluster_name', 'environment', 'to']) })
  const ink = inkFor(view)
  return html`${planVerdict(plan, ink)}
<p class="note">${drawSaid(basisNote(plan), ink)}. Facts of ${clean(plan.catalog_date, 10)}. ${view.link(`/runs/${plan.basis.run_id}`, 'Run')}</p>
${section('steps', 'Steps', stepsFor(plan, query, view))}
${section(
  'parts',
  'Parts',
  showTable(view, {
    id: 'parts',
    caption: 'Parts close to Kubernetes',
    columns: drawColumns(ownedColumns(partColumns, plan.parts), ink),
    rows: sortedParts(ownSteps(plan.parts, query)),
    json: plan,
    empty: 'No part that is close to Kubernetes is known.',
  }),
)}
${plan.missing.length > 0 && section('missing', 'Not collected', html`${planNotes(plan).map((note) => drawNote(note, ink))}`)}`
}

function stepsFor({ steps }: UpgradePlan, query: Query, view: View) {
  const ink = inkFor(view)
  const own = ownSteps(steps, query)
  return html`${ownerNote(steps, query, view)}${showTable(view, {
    id: 'steps',
    caption: 'Steps, in order',
    columns: drawColumns(ownedColumns(stepColumns, steps), ink),
    rows: own,
    json: own,
    empty: 'No step is needed.',
  })}
${planDetails(own, ink)}`
}

function ownerNote(steps: UpgradePlan['steps'] | FleetUpgrade['steps'], query: Query, view: View) {
  if (!query.owner) return undefined
  const said = ownedNote(ownSteps<(typeof steps)[number]>(steps, query).length, steps.length, query.owner)
  return html`<p class="note">${drawSaid(said, inkFor(view))}. The verdict is about all of them.</p>`
}

const ownSteps = <Row extends { owners?: string[] | undefined }>(rows: Row[], { owner }: Query) =>
  owner ? rows.filter((row) => isOwnersPart(row, owner)) : rows

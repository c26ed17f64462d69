import { exceptionStates } from '../../contract/choices.ts'
import type { StoredException } from '../../contract/exception.ts'
import { clean, html, name, time } from '../../render/html/markup.ts'
import { actionForm, filterForm } from './form.ts'
import { pageOf, rowsOfPage, showTable } from './page-table.ts'
import type { View, WebPage } from './view.ts'

export const exceptionsPage: WebPage = {
  path: '/exceptions',
  nav: 'Exceptions',
  for: 'pro',
  filters: ['state', 'expiring_days'],
  async show({ query, view, call }) {
    const { state, expiring_days } = query
    // The service checks the words of the address.
    const choice = {
      ...(state && { state: state as never }),
      ...(expiring_days && { expiring_days: expiring_days as never }),
    }
    const list = (page: number, per_page: number) => call('listExceptions', { query: { ...choice, page, per_page } })
    const found = await list(pageOf(view), rowsOfPage)
    return {
      title: 'Exceptions',
      body: html`<h1>Exceptions</h1>
<p>The gate ignores what an active exception matches. Add one on the page of a ${view.link('/findings', 'finding')}.</p>
${filterForm(view, [
  {
    name: 'state',
    label: 'State',
    choices: [['', 'every state'], ...exceptionStates.map((each) => [each, each] as const)],
  },
  {
    name: 'expiring_days',
    label: 'Expires within',
    choices: [
      ['', 'any time'],
      ['7', '7 days'],
      ['30', '30 days'],
      ['90', '90 days'],
    ],
  },
])}
${showTable(view, {
  id: 'exceptions',
  caption: 'Exceptions, by their last day',
  columns: [
    {
      title: 'Exception',
      value: (each) =>
        view.link(`/exceptions/${each.exception_id}`, html`<code class="word">${each.exception_id}</code>`),
      text: (each) => each.exception_id,
    },
    { title: 'Matches', value: subjectOf },
    {
      title: 'State',
      value: ({ state }) => html`<span class="${state === 'active' ? 'warn' : 'soft'}">${state}</span>`,
      text: ({ state }) => state,
    },
    { title: 'Last day', value: ({ expires_on }) => html`<span class="word">${expires_on}</span>` },
    { title: 'Reason', value: ({ reason }) => clean(reason, 300) },
    { title: 'By', value: ({ created_by }) => name(created_by) },
  ],
  rows: found.items,
  json: found,
  empty: 'No exception matches.',
  paging: { ...found, list: async (page, perPage) => (await list(page, perPage)).items },
})}`,
    }
  },
}

function subjectOf(each: StoredException): string {
  const { fingerprint, check, namespace, resource, artifact, advisory, cluster_name, environment } = each
  const parts = Object.entries({
    finding: fingerprint?.slice(0, 12),
    check,
    namespace,
    resource,
    artifact,
    advisory,
    cluster: cluster_name,
    environment,
  })
  return clean(parts.flatMap(([word, value]) => (value ? [`${word} ${value}`] : [])).join(', '), 500)
}

export const exceptionPage: WebPage = {
  path: '/exceptions/{exception_id}',
  async show({ params, view, call }) {
    const found = await call('getException', { params: { exception_id: params.exception_id! } })
    return {
      title: `Exception ${found.exception_id}`,
      body: html`<h1>Exception <code>${found.exception_id}</code></h1>
<dl>
<dt>State</dt><dd>${found.state}${found.ended_at && html`, ended by ${name(found.ended_by)} ${time(found.ended_at)}`}</dd>
<dt>Matches</dt><dd>${subjectOf(found)}${found.fingerprint && html` ${view.link(`/findings/${found.fingerprint}`, 'The finding')}`}</dd>
<dt>Reason</dt><dd>${clean(found.reason, 1000)}</dd>
<dt>Justification</dt><dd>${found.justification?.replaceAll('_', ' ') ?? '-'}</dd>
<dt>Last day</dt><dd>${found.expires_on}</dd>
<dt>Added</dt><dd>${time(found.created_at)} by ${name(found.created_by)}</dd>
</dl>
${endForm(view, found)}`,
    }
  },
}

function endForm(view: View, { exception_id, state }: StoredException) {
  if (state !== 'active' || !view.canWrite) return false
  return actionForm(view, {
    action: `/exceptions/${exception_id}/expire`,
    button: 'End it now',
    confirm: 'The gate counts again what it matches.',
  })
}

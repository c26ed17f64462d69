import { exceptionStates } from '../../contract/choices.ts'
import type { StoredException } from '../../contract/exception.ts'
import { drawColumns, drawSaid } from '../../render/html/draw.ts'
import { clean, html, name, time } from '../../render/html/markup.ts'
import { effectTexts, endCause, exceptionColumns, exceptionTone, untilText, whereText } from '../../views/exception.ts'
import { untilSaid } from '../../views/finding.ts'
import { safe } from '../../views/said.ts'
import { titles } from '../../views/titles.ts'
import { chosen } from '../../views/view.ts'
import { actionForm, filterForm } from './form.ts'
import { inkFor } from './ink.ts'
import { listPage, showTable } from './page-table.ts'
import { given, type View, type WebPage } from './view.ts'

const columns = chosen(exceptionColumns, 'id', 'where', 'matches', 'state', 'until', 'reason', 'by')

export const exceptionsPage: WebPage = {
  path: '/exceptions',
  nav: 'Exceptions',
  for: 'pro',
  filters: ['state', 'expiring_days'],
  async show({ query, view, call }) {
    const asked = given(query, ['state', 'expiring_days'])
    const { listed } = await listPage(view, (paging) => call('listExceptions', { query: { ...asked, ...paging } }))
    return {
      title: 'Exceptions',
      body: html`<h1>Exceptions</h1>
<p>The gate ignores what an active exception matches. Add one on the page of a ${view.link('/findings', 'finding')}.</p>
${filterForm(view, [
  { name: 'state', label: 'State', choices: [['', 'every state'], ...exceptionStates] },
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
  columns: drawColumns(columns, inkFor(view)),
  ...listed,
  empty: 'No exception matches.',
})}`,
    }
  },
}

export const exceptionPage: WebPage = {
  path: '/exceptions/{exception_id}',
  heavy: true,
  filters: ['added'],
  async show({ params, query, view, call }) {
    const { where, matches } = exceptionColumns
    const found = await call('getException', {
      params: { exception_id: params.exception_id! },
      query: { include_matched: true },
    })
    return {
      title: `Exception ${found.exception_id}`,
      body: html`<h1>Exception <code>${found.exception_id}</code></h1>
${query.added && found.state === 'active' && html`<p role="status">Accepted until ${clean(untilText(found), 300)}. It leaves lists, messages and the gate until then, and counts again afterwards. To undo it, end it below.</p>`}
<dl>
<dt>State</dt><dd>${drawSaid([safe(found.state, exceptionTone(found))])}${found.ended_at && html`, ended ${clean(endCause(found), 300)} ${time(found.ended_at)}`}</dd>
<dt>${matches.title}</dt><dd>${clean(matches.text(found), 500)}${found.fingerprint && html` ${view.link(`/findings/${found.fingerprint}`, 'The finding')}`}${effectTexts(found).map((text) => html`<br>${clean(text, 1000)}`)}</dd>
<dt>${where.title}</dt><dd>${clean(whereText(found), 500)}</dd>
<dt>Reason</dt><dd>${clean(found.reason, 1000)}</dd>
<dt>Justification</dt><dd>${found.justification ?? '-'}</dd>
<dt>${titles.until}</dt><dd>${drawSaid(untilSaid({ expires_on: found.expires_on, next_release_of: found.next_release?.name }))}</dd>
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

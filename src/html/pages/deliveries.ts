import { channelNames } from '../../contract/channels.ts'
import { deliveryStates } from '../../contract/choices.ts'
import { drawNote, drawSaid } from '../../render/html/draw.ts'
import { clean, html, name, time } from '../../render/html/markup.ts'
import { number } from '../../util/words.ts'
import { deliveryTones, sendsNone } from '../../views/outcome.ts'
import { safe } from '../../views/said.ts'
import { titles } from '../../views/titles.ts'
import { actionForm, filterForm } from './form.ts'
import { listPage, showTable, timeColumn } from './page-table.ts'
import { given, type WebPage } from './view.ts'
import { whoseLinks } from './whose.ts'
import { timeOr } from './words.ts'

const stateWord = (state: keyof typeof deliveryTones) => drawSaid([safe(state, deliveryTones[state])])

export const deliveriesPage: WebPage = {
  path: '/deliveries',
  nav: 'Deliveries',
  filters: ['state', 'channel'],
  async show({ query, view, call }) {
    const asked = given(query, ['state', 'channel'])
    const { found, listed } = await listPage(view, (paging) =>
      call('listDeliveries', { query: { ...asked, ...paging } }),
    )
    return {
      title: 'Deliveries',
      body: html`<h1>Deliveries${view.notifiedTeam !== null && html` to team ${name(view.notifiedTeam)}`}</h1>
${view.viewer.teams.length > 0 && html`<p>${whoseLinks(view)}</p>`}
${!found.delivers_notifications && drawNote(sendsNone)}
${filterForm(view, [
  { name: 'state', label: 'State', choices: [['', 'every state'], ...deliveryStates] },
  { name: 'channel', label: 'Channel', choices: [['', 'every channel'], ...channelNames] },
])}
${showTable(view, {
  id: 'deliveries',
  caption: 'Notifications, the newest first',
  columns: [
    {
      title: titles.created,
      value: (each) => view.link(`/deliveries/${each.delivery_id}`, time(each.created_at)),
      text: (each) => each.created_at,
    },
    { title: 'About', value: (each) => clean([each.kind, each.name, each.version].filter(Boolean).join(' '), 300) },
    { title: titles.channel, value: ({ channel }) => channel },
    { title: titles.to, value: ({ target }) => clean(target, 200) },
    { title: titles.state, value: ({ state }) => stateWord(state), text: ({ state }) => state },
    { title: titles.attempts, value: ({ attempts }) => number(attempts), align: 'right' },
    { title: titles.reason, value: ({ reason }) => clean(reason, 300) || null },
  ],
  ...listed,
  empty: 'No notification matches.',
})}`,
    }
  },
}

export const deliveryPage: WebPage = {
  path: '/deliveries/{delivery_id}',
  async show({ params, view, call }) {
    const found = await call('getDelivery', { params: { delivery_id: params.delivery_id! } })
    return {
      title: `Delivery of ${clean(found.kind, 50)}`,
      body: html`<h1>Delivery: ${clean([found.kind, found.name, found.version].filter(Boolean).join(' '), 200)}</h1>
<dl>
<dt>State</dt><dd>${stateWord(found.state)}${found.reason && html`: ${clean(found.reason, 500)}`}</dd>
<dt>Channel</dt><dd>${found.channel}, ${clean(found.target, 200)}</dd>
<dt>Created</dt><dd>${time(found.created_at)}</dd>
<dt>Attempts</dt><dd>${number(found.attempts)}${found.http_status !== null && `, the last answered ${found.http_status}`}</dd>
<dt>Next attempt</dt><dd>${timeOr(found.next_attempt_at, 'none')}</dd>
<dt>Finished</dt><dd>${timeOr(found.finished_at, 'not yet')}</dd>
${found.product_id !== null && html`<dt>Project</dt><dd>${view.link(`/projects/${found.product_id}`, clean(found.name, 200) || 'project')}</dd>`}
<dt>Id</dt><dd><code class="command">${found.delivery_id}</code></dd>
</dl>
${view.canFollow && actionForm(view, { action: `/deliveries/${found.delivery_id}/retry`, button: 'Send again' })}
${showTable(view, {
  id: 'events',
  caption: 'Events that it is about',
  columns: [{ title: 'Event', value: ({ type }) => clean(type, 100) }, timeColumn(titles.time, 'at')],
  rows: found.events,
  json: found,
  empty: 'Its events are not stored.',
})}`,
    }
  },
}

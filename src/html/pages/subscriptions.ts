import type { Label } from '../../contract/label.ts'
import type { Subscription } from '../../contract/subscription.ts'
import { drawSaid } from '../../render/html/draw.ts'
import { clean, day, html, name } from '../../render/html/markup.ts'
import { count } from '../../util/words.ts'
import { versionSaid } from '../../views/release.ts'
import { titles } from '../../views/titles.ts'
import { actionForm, filterForm, toField } from './form.ts'
import { pageRows, projectColumn, showTable } from './page-table.ts'
import { followForm } from './projects.ts'
import type { PageColumn, Query, View, WebPage } from './view.ts'
import { whoseLinks } from './whose.ts'
import { section } from './words.ts'

export const subscriptionsPage: WebPage = {
  path: '/subscriptions',
  nav: 'Subscriptions',
  filters: ['search', 'label'],
  async show({ query, view, call }) {
    const team = view.notifiedTeam
    const [found, labels] = await Promise.all([
      call('listSubscriptions', {}),
      view.viewer.isPro ? call('listLabels', {}) : undefined,
    ])
    const rows = found.subscriptions.filter((each) => matches(each, query)).map(withoutWebhooks)
    return {
      title: team === null ? 'Subscriptions' : `Subscriptions of team ${team}`,
      body: html`<h1>Subscriptions${team !== null && html` of team ${name(team)}`}</h1>
<p>${team === null ? 'You follow' : 'The team follows'} ${count(found.subscription_count, 'project')}. ${view.link('/projects', 'Follow others')}. ${whoseLinks(view)}</p>
${filterForm(view, [
  { name: 'search', label: 'Name', type: 'search' },
  {
    name: 'label',
    label: 'Label',
    choices: [['', 'every label'], ...(labels?.labels ?? []).map(({ label_name }) => label_name)],
  },
])}
${showTable(view, {
  id: 'subscriptions',
  caption: team === null ? 'Projects that you follow' : 'Projects that the team follows',
  columns: toColumns(view, labels?.labels),
  ...pageRows(view, rows),
  json: { subscriptions: rows, subscription_count: found.subscription_count },
  empty: html`${found.subscription_count === 0 ? `${team === null ? 'You follow' : 'The team follows'} no project.` : 'No subscription matches.'} ${view.link('/projects', 'Find projects')}.`,
})}
${labels && view.canFollow && section('labels', 'New label', labelForm(view))}`,
    }
  },
}

type Shown = Omit<Subscription, 'slack_webhook' | 'teams_webhook' | 'generic_webhook' | 'webhook_url'>

function matches({ name, labels }: Subscription, { search = '', label }: Query) {
  const hasLabel = !label || labels.some(({ label_name }) => label_name === label)
  return hasLabel && name.toLowerCase().includes(search.toLowerCase())
}

/** Removes webhook addresses, which are secret. */
const withoutWebhooks = ({
  slack_webhook: _s,
  teams_webhook: _t,
  generic_webhook: _g,
  webhook_url: _w,
  ...shown
}: Subscription): Shown => shown

const mailWords = { per_app: 'each release', daily: 'daily', weekly: 'weekly' } as const

/** `labels`: all labels of the user. */
function toColumns(view: View, labels: Label[] | undefined): PageColumn<Shown>[] {
  return [
    projectColumn(view),
    {
      title: titles.latest,
      value: ({ latest_release: release }) => (release ? drawSaid(versionSaid(release)) : 'unknown'),
      text: ({ latest_release }) => latest_release?.version,
    },
    {
      title: titles.published,
      value: ({ latest_release: release }) => (release ? day(release.published_at) : null),
      text: ({ latest_release }) => latest_release?.published_at,
    },
    {
      title: 'Mail',
      value: (each) =>
        each.notifications_paused ? 'paused' : each.email_enabled ? mailWords[each.email_frequency] : 'off',
    },
    {
      title: titles.labels,
      value: (each) => labelsFor(view, each, labels),
      text: (each) => each.labels.map(({ label_name }) => label_name).join(' '),
    },
    {
      title: titles.follow,
      value: (each) => followForm(view, { id: each.product_id, name: each.name, isFollowed: true }),
      text: () => '',
    },
  ]
}

function labelForm(view: View) {
  return actionForm(view, {
    action: '/labels',
    button: 'Create label',
    fields: html`${toField({ name: 'label_name', label: 'Name' }, '', html` required maxlength="100"`)}<label>Color <input type="color" name="label_color" value="#1f6feb"></label> `,
  })
}

function labelsFor(view: View, { id, name: project, labels: own }: Shown, all: Label[] | undefined) {
  const words = own.length > 0 ? html`${own.map(({ label_name }) => html`${name(label_name)} `)}` : null
  if (!all || !view.canFollow) return words
  const free = all.filter((label) => !own.some((each) => each.id === label.id))
  return html`${own.map((label) =>
    actionForm(view, {
      action: `/subscriptions/${id}/labels`,
      button: `${clean(label.label_name, 100)} ×`,
      values: { remove: label.id },
      about: `from ${clean(project, 100)}`,
    }),
  )}${
    free.length > 0 &&
    actionForm(view, {
      action: `/subscriptions/${id}/labels`,
      button: 'Add',
      about: `label to ${clean(project, 100)}`,
      fields: html`<select name="add" aria-label="Label for ${clean(project, 100)}">${free.map((label) => html`<option value="${label.id}">${clean(label.label_name, 100)}</option>`)}</select> `,
    })
  }`
}

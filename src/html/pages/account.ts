import type { ApiKey } from '../../contract/api-key.ts'
import { clean, html, name, time } from '../markup.ts'
import { actionForm } from './form.ts'
import { showTable } from './page-table.ts'
import type { WebPage } from './view.ts'
import { section, timeOr } from './words.ts'

export const accountPage: WebPage = {
  path: '/account',
  nav: 'Account',
  async show({ view, call }) {
    const [current, found, feeds] = await Promise.all([
      call('getCurrentKey', {}),
      call('listKeys', {}),
      call('listFeeds', {}),
    ])
    return {
      title: 'Account',
      body: html`<h1>Account ${name(current.user_login)}</h1>
<p>Plan ${clean(current.plan, 50)}. ${current.key && html`You signed in with the API key ${name(current.key.name)}, ${view.viewer.isReadOnly ? 'which can only read' : 'and can do what it can do'}. `}${view.viewer.team ? html`This page and its links are about the team ${name(view.viewer.team.name)}, in which you are ${view.viewer.team.role}.` : 'This page and its links are about what is your own.'}</p>
${section(
  'keys',
  'API keys',
  html`<p>Create keys with <code class="command">relt keys create NAME</code>. A revoked key signs in to nothing.</p>
${showTable(view, {
  id: 'keys',
  caption: 'Your API keys',
  columns: [
    { title: 'Name', value: (key) => name(key.name) },
    { title: 'Scope', value: ({ scope }) => scope },
    { title: 'Created', value: ({ created }) => time(created), text: ({ created }) => created },
    { title: 'Last used', value: ({ last_used }) => timeOr(last_used), text: ({ last_used }) => last_used },
    { title: 'Expires', value: ({ expires_at }) => timeOr(expires_at), text: ({ expires_at }) => expires_at },
    {
      title: 'Revoke',
      value: ({ uuid, name: key }: ApiKey) =>
        actionForm(view, {
          action: `/account/keys/${uuid}/revoke`,
          button: 'Revoke',
          confirm: 'Programs that use it stop working.',
          about: clean(key, 100),
        }),
      text: () => '',
    },
  ],
  rows: found.keys,
  json: found,
  empty: 'You have no API key.',
})}`,
)}
${section(
  'feeds',
  'Feeds',
  html`<p>Create an address for your feed reader or calendar with <code class="command">relt feeds create releases</code>, <code class="command">relt feeds create changes --cluster NAME</code> or <code class="command">relt feeds create support</code>.</p>
${showTable(view, {
  id: 'feeds',
  caption: 'Your feeds',
  columns: [
    {
      title: 'Feed',
      value: ({ kind, cluster_name, environment }) =>
        html`${kind}${cluster_name !== null && html` of ${name(cluster_name)} (${name(environment)})`}`,
    },
    { title: 'Team', value: ({ team }) => (team === null ? 'own account' : name(team)), text: ({ team }) => team },
    { title: 'Created', value: ({ created_at }) => time(created_at), text: ({ created_at }) => created_at },
    { title: 'Last used', value: ({ last_used }) => timeOr(last_used), text: ({ last_used }) => last_used },
    {
      title: 'Revoke',
      value: ({ feed_id, kind }) =>
        actionForm(view, {
          action: `/account/feeds/${feed_id}/revoke`,
          button: 'Revoke',
          confirm: 'Its address stops working.',
          about: `${kind}, ${feed_id}`,
        }),
      text: ({ feed_id }) => feed_id,
    },
  ],
  rows: feeds.items,
  json: feeds,
  empty: 'You have no feed.',
})}`,
)}`,
    }
  },
}

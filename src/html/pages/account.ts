import { keyScopes, unlimited } from '../../contract/choices.ts'
import type { RouteAnswer } from '../../contract/routes.ts'
import { drawNote } from '../../render/html/draw.ts'
import { clean, html, name, time } from '../../render/html/markup.ts'
import { shownOnce } from '../../views/outcome.ts'
import { titles } from '../../views/titles.ts'
import { actionForm, toField } from './form.ts'
import { notificationsPart } from './notification-settings.ts'
import { nameColumn, showTable, timeColumn } from './page-table.ts'
import { passwordPart } from './password.ts'
import type { View, WebPage } from './view.ts'
import { section } from './words.ts'

function keyForm(view: View) {
  return actionForm(view, {
    action: '/account/keys',
    button: 'Create key',
    confirm: 'Whoever has the key can do in your name what its scope allows.',
    fields: html`${toField({ name: 'name', label: 'Name' }, '', html` required maxlength="100"`)}${toField({ name: 'scope', label: 'Scope', choices: keyScopes }, 'read')}${toField({ name: 'expires_on', label: 'Last day (empty: none)', type: 'date' }, '')}`,
  })
}

/** The only page that shows the secret of a key. */
export function createdKeyPage(view: View, { password, item }: RouteAnswer<'createKey'>) {
  return {
    title: 'API key created',
    body: html`<h1>API key ${name(item.name)} created</h1>
<p>Its scope is ${item.scope}${item.expires_at && html`, until ${time(item.expires_at)}`}. Sign in with your login ${name(view.viewer.login)} and this key:</p>
<p><code class="command">${password}</code></p>
${drawNote(shownOnce)}
<p>${view.link('/account', 'Back to the account')}</p>`,
  }
}

/** The only page that shows the address of a feed. */
export function createdFeedPage(view: View, { path, url }: RouteAnswer<'createFeed'>) {
  return {
    title: 'Feed created',
    body: html`<h1>Feed created</h1>
<p>It has the releases of the projects that you follow. Add this address to your feed reader:</p>
<p><code class="command">${url ?? path}</code></p>
${drawNote(shownOnce)}
<p>${view.link('/account', 'Back to the account')}</p>`,
  }
}

export const accountPage: WebPage = {
  path: '/account',
  nav: 'Account',
  async show({ view, call }) {
    const [current, keys, feeds, settings] = await Promise.all([
      call('getCurrentKey', {}),
      call('listKeys', {}),
      call('listFeeds', {}),
      call('getDashboard', {}),
    ])
    return {
      title: titles.account,
      body: html`<h1>Account ${name(current.user_login)}</h1>
<p>${keys.limit < unlimited && html`Plan ${clean(current.plan, 50)}. `}${current.key && html`You signed in with the API key ${name(current.key.name)}, ${view.viewer.isReadOnly ? 'which can only read' : 'and can do what it can do'}. `}${view.viewer.team ? html`This page and its links are about the team ${name(view.viewer.team.name)}, in which you are ${view.viewer.team.role}.` : 'This page and its links are about what is your own.'}</p>
<ul class="links"><li>${view.link('/team', 'Team, its members, and owners of workloads')}</li></ul>
${section('keys', 'API keys', keysPart(view, keys))}
${section('feeds', 'Feeds', feedsPart(view, feeds))}
${section('notifications', 'Notifications', notificationsPart(view, settings))}
${section('password', 'Password', passwordPart(view, current.key !== undefined))}`,
    }
  },
}

function keysPart(view: View, found: RouteAnswer<'listKeys'>) {
  return html`<p>A program signs in with a key. A revoked key stops working.${!view.canSubmit && html` Create one with <code class="command">relt keys create NAME</code>.`}</p>
${view.viewer.isPro && keyForm(view)}
${showTable(view, {
  id: 'keys',
  caption: 'Your API keys',
  columns: [
    nameColumn(titles.name, 'name'),
    { title: titles.scope, value: ({ scope }) => scope },
    timeColumn(titles.created, 'created'),
    timeColumn(titles.last_used, 'last_used'),
    timeColumn(titles.expires, 'expires_at'),
    {
      title: 'Revoke',
      value: ({ uuid, name: key }) =>
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
})}`
}

function feedsPart(view: View, found: RouteAnswer<'listFeeds'>) {
  return html`<p>Feed readers cannot sign in, so the address of a feed is a secret. It shows the releases of the projects that ${view.viewer.team ? html`the team ${name(view.viewer.team.name)} follows` : 'you follow'}, until you revoke it.${!view.canSubmit && html` Create one with <code class="command">relt feed publish</code>`}</p>
${actionForm(view, { action: '/account/feeds', button: 'Create feed' })}
${showTable(view, {
  id: 'feeds',
  caption: 'Your feeds',
  columns: [
    { title: 'Feed', value: ({ feed_id }) => feed_id },
    { title: titles.team, value: ({ team }) => (team === null ? 'own account' : name(team)), text: ({ team }) => team },
    timeColumn(titles.created, 'created_at'),
    timeColumn(titles.last_used, 'last_used'),
    {
      title: 'Revoke',
      value: ({ feed_id }) =>
        actionForm(view, {
          action: `/account/feeds/${feed_id}/revoke`,
          button: 'Revoke',
          confirm: 'Its address stops working.',
          about: feed_id,
        }),
      text: () => '',
    },
  ],
  rows: found.items,
  json: found,
  empty: 'You have no feed.',
})}`
}

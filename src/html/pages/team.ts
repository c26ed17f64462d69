import { teamRoles } from '../../contract/choices.ts'
import type { StoredPolicy } from '../../contract/gate-policy.ts'
import type { RouteAnswer } from '../../contract/routes.ts'
import type { TeamDetails, TeamNotifications } from '../../contract/team.ts'
import { clean, html, name, time } from '../../render/html/markup.ts'
import { count } from '../../util/words.ts'
import { notificationLines } from '../../views/team.ts'
import { titles } from '../../views/titles.ts'
import { actionForm, toField } from './form.ts'
import { nameColumn, showTable } from './page-table.ts'
import type { View, WebPage } from './view.ts'
import { section } from './words.ts'

/** A team's notifications, gate policy and members, and the owners of workloads. */
export const teamPage: WebPage = {
  path: '/team',
  async show({ view, call }) {
    const { team, teams, isPro } = view.viewer
    const owners = isPro ? section('owners', 'Owners of workloads', ownersPart(view, await call('getOwners', {}))) : ''
    if (team === null) return { title: titles.team, body: html`${ownAccount(view, teams)}${owners}` }
    const [found, stored] = await Promise.all([
      call('getTeam', { params: { team: team.name } }),
      call('getGatePolicy', {}),
    ])
    const isOwner = found.role === 'owner'
    return {
      title: `Team ${team.name}`,
      body: html`<h1>Team ${name(team.name)}</h1>
<p>${count(found.clusters, 'cluster')}, ${count(found.runs, 'run')}, ${count(found.profiles, 'profile')}; created ${time(found.created)}. You are ${found.role}. Viewers read, members change clusters and exceptions, owners also manage the members.</p>
${found.notifications && section('notifications', 'Notifications', notificationsPart(view, team.name, found.notifications))}
${section('policy', 'Policy of gates', policyPart(view, stored))}
${section('members', 'Members', html`${membersTable(view, found, isOwner)}${isOwner && addForm(view, found)}`)}
${owners}`,
    }
  },
}

function ownAccount(view: View, teams: string[]) {
  return html`<h1>Team</h1>
<p>This page is about your own account, which has no members. ${
    teams.length === 0
      ? html`You are in no team. An admin creates one with <code class="command">relt teams create NAME</code>.`
      : 'Choose a team:'
  }</p>
<ul>${teams.map((team) => html`<li>${view.link('/team', name(team), { team })}</li>\n`)}</ul>`
}

function membersTable(view: View, found: TeamDetails, isOwner: boolean) {
  const { name: team, items } = found
  return showTable(view, {
    id: 'members',
    caption: 'Owners first',
    columns: [
      nameColumn(titles.member, 'login'),
      { title: titles.role, value: ({ role }) => role },
      ...(isOwner
        ? [
            {
              title: titles.change,
              value: ({ login, role }: TeamDetails['items'][number]) =>
                html`${actionForm(view, {
                  action: `/team/members/${encodeURIComponent(login)}/role`,
                  button: 'Change role',
                  values: { team_name: team },
                  confirm: 'It holds from the next request on.',
                  about: login,
                  fields: toField({ name: 'role', label: `Role of ${login}`, choices: teamRoles }, role),
                })}${actionForm(view, {
                  action: `/team/members/${encodeURIComponent(login)}/remove`,
                  button: 'Remove',
                  values: { team_name: team },
                  confirm: 'The team is no longer visible to this account.',
                  about: login,
                })}`,
              text: () => '',
            },
          ]
        : []),
    ],
    rows: items,
    json: found,
    empty: 'The team has no members.',
  })
}

function addForm(view: View, { name: team }: TeamDetails) {
  return html`<h3>Add a member</h3>
${actionForm(view, {
  action: '/team/members',
  button: 'Add member',
  values: { team_name: team },
  fields: html`${toField({ name: 'login', label: 'Login' }, '', html` required maxlength="100" autocomplete="off"`)}${toField({ name: 'role', label: 'Role', choices: teamRoles }, 'viewer')}`,
})}`
}

function notificationsPart(view: View, team: string, notifications: TeamNotifications) {
  return html`<p>An event makes one message to each channel of the team. Members have their own settings beside it.</p>
<dl>${notificationLines(notifications).map(({ title, text }) => html`<dt>${title}</dt><dd>${clean(text, 500)}</dd>\n`)}</dl>
<p>${view.link('/subscriptions', 'Subscriptions', { team })}; ${view.link('/account', view.canWrite ? 'Change channels and settings' : 'Channels and settings', { team })}; ${view.link('/projects', 'follow projects', { team })}.</p>`
}

function policyPart(view: View, { policy, changed_at, changed_by }: StoredPolicy) {
  const set = changed_at !== null && html` Set by ${name(changed_by)} ${time(changed_at)}.`
  const area = html`<label>Policy in YAML<br><textarea name="policy" rows="8" cols="60" maxlength="65536" spellcheck="false">${policy ?? ''}</textarea></label>
`
  return html`<p>A gate that has no rules of its own uses this policy.${set}</p>
${policy !== null && html`<pre>${policy}</pre>`}
${
  view.canWrite &&
  actionForm(view, {
    action: '/team/policy',
    button: policy === null ? 'Set policy' : 'Change policy',
    confirm: 'Gates use it from now on. An empty text removes it.',
    fields: area,
  })
}`
}

/** Ownership rules in order of precedence. */
function ownersPart(view: View, found: RouteAnswer<'getOwners'>) {
  const { owners, changed_at, changed_by } = found
  const pattern = (text: string | undefined) => (text === undefined ? null : html`<code>${text}</code>`)
  return html`<p>Of what matches several rules, the last one says who owns it. ${changed_at !== null && html`Set by ${name(changed_by)} ${time(changed_at)}. `}Set them with <code class="command">relt owners set owners.yaml</code>. ${view.link('/findings', 'Findings by owner', { group_by: 'owner' })}; ${view.link('/findings', 'findings that nobody owns', { owner: '-' })}.</p>
${showTable(view, {
  id: 'owners',
  caption: 'Rules, the last one that matches counts',
  columns: [
    {
      title: titles.owner,
      value: ({ owner }) => html`<a href="${view.href('/findings', { owner })}">${name(owner)}</a>`,
      text: ({ owner }) => owner,
    },
    {
      title: titles.contact,
      value: ({ contact }) => (contact === undefined ? null : name(contact)),
      text: (rule) => rule.contact,
    },
    { title: titles.cluster, value: ({ cluster }) => pattern(cluster), text: (rule) => rule.cluster },
    { title: titles.namespace, value: ({ namespace }) => pattern(namespace), text: (rule) => rule.namespace },
    { title: titles.workload, value: ({ workload }) => pattern(workload), text: (rule) => rule.workload },
  ],
  rows: owners,
  json: found,
  empty: 'No owners are set.',
})}`
}

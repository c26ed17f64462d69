import { channelSecret, webhookChannels } from '../../contract/channels.ts'
import { clusterEvents, fleetReports, severities, weekdays } from '../../contract/choices.ts'
import type { RouteAnswer } from '../../contract/routes.ts'
import { clean, html, name } from '../../render/html/markup.ts'
import { settingLines } from '../../views/team.ts'
import { titles } from '../../views/titles.ts'
import { actionForm, toField } from './form.ts'
import { showTable } from './page-table.ts'
import type { View } from './view.ts'
import { whoseLinks } from './whose.ts'

type Settings = RouteAnswer<'getDashboard'>

const yesOrNo = (isOn: boolean | undefined) => (isOn ? 'yes' : 'no')
const hours = Array.from({ length: 24 }, (_, hour) => [String(hour), `${hour}:00`] as const)

/** Webhooks and notification settings of the account, or of the team in the URL. */
export function notificationsPart(view: View, settings: Settings) {
  const team = view.notifiedTeam
  return html`<p>${
    team === null
      ? 'They are those of your own account, in each team.'
      : html`They are those of team ${name(team)}. Each event makes one message to a channel of the team. Members have their own settings beside it.`
  } ${view.link('/subscriptions', 'Subscriptions')} can have other webhooks. ${whoseLinks(view)}</p>
${webhooksPart(view, settings)}
<h3>What is sent when</h3>
${view.canFollow ? settingsForm(view, settings) : settingsList(settings)}`
}

function webhooksPart(view: View, settings: Settings) {
  // Addresses are shortened: whoever set one knows it, but others see the page too.
  const rows = webhookChannels.map((channel): Webhook => {
    const { name, title, field } = channel
    const address = settings[field]
    return { name, title, address: address ? channelSecret(channel, address).toString() : null }
  })
  return html`<p>The address of a webhook is a secret: it is stored sealed, and shown in short.</p>
${showTable(view, {
  id: 'webhooks',
  caption: view.notifiedTeam === null ? 'Webhooks of your account' : 'Webhooks of the team',
  columns: [
    { title: titles.channel, value: ({ title }) => title },
    { title: 'Address', value: ({ address }) => clean(address ?? '', 100) || null, text: ({ address }) => address },
    { title: titles.change, value: (webhook) => (view.canFollow ? webhookForms(view, webhook) : null), text: () => '' },
  ],
  rows,
  json: { webhooks: rows },
  empty: 'There is no channel.',
})}`
}

interface Webhook {
  name: string
  title: string
  /** Shortened; null if none is set. */
  address: string | null
}

function webhookForms(view: View, { name, title, address }: Webhook) {
  const form = { action: `/account/webhooks/${name}`, about: title }
  return html`${actionForm(view, {
    ...form,
    button: address ? 'Replace' : 'Set',
    confirm: address ? 'Messages no longer go to the earlier address.' : 'Messages go to this address from now on.',
    fields: toField(
      { name: 'address', label: `Address of ${title}`, hint: 'https://…' },
      '',
      html` required maxlength="2000" autocomplete="off"`,
    ),
  })}${
    address &&
    actionForm(view, { ...form, button: 'Remove', values: { address: '' }, confirm: 'Messages no longer go there.' })
  }`
}

function settingsForm(view: View, settings: Settings) {
  const { time_zone = 'UTC', digest_hour = 8, digest_weekday = 'monday', quiet_hours = '' } = settings
  const { quiet_hours_except = 'none', min_severity = 'none', cluster_events = '', cluster_scope = '' } = settings
  const { only_what_runs, cluster_mails = true, owner_scope = '', fleet_report = 'off' } = settings
  const severity = severities.map((each) => [each, each === 'none' ? 'none' : `${each} and above`] as const)
  const fields: [field: Parameters<typeof toField>[0], value: string][] = [
    [{ name: 'time_zone', label: 'Time zone', hint: 'Europe/Berlin' }, time_zone],
    [{ name: 'digest_hour', label: 'Digest at', choices: hours }, String(digest_hour)],
    [{ name: 'digest_weekday', label: 'Weekly digest on', choices: weekdays }, digest_weekday],
    [{ name: 'quiet_hours', label: 'Quiet hours', hint: '22:00-07:00' }, quiet_hours],
    [{ name: 'quiet_hours_except', label: 'Security fixes that do not wait', choices: severity }, quiet_hours_except],
    [{ name: 'min_severity', label: 'Only security fixes of', choices: severity }, min_severity],
    [{ name: 'only_what_runs', label: 'Only releases of what runs', choices: ['no', 'yes'] }, yesOrNo(only_what_runs)],
    [
      { name: 'cluster_events', label: 'Events of clusters, with commas', hint: clusterEvents.join(',') },
      cluster_events,
    ],
    [{ name: 'cluster_scope', label: 'Clusters and label:NAME, with commas', hint: 'all clusters' }, cluster_scope],
    [{ name: 'cluster_mails', label: 'Mail events of clusters', choices: ['yes', 'no'] }, yesOrNo(cluster_mails)],
    [{ name: 'owner_scope', label: 'Owners that digests are about, with commas', hint: 'all owners' }, owner_scope],
    [{ name: 'fleet_report', label: 'Report of all clusters by mail', choices: fleetReports }, fleet_report],
  ]
  return actionForm(view, {
    action: '/account/notifications',
    button: 'Save settings',
    confirm: 'They hold for messages from now on.',
    fields: html`${fields.map(([field, value]) => toField(field, value))}`,
  })
}

/** For viewers of a team, who cannot change settings. */
function settingsList(settings: Settings) {
  return html`<dl>${settingLines(settings).map(({ title, text }) => html`<dt>${title}</dt><dd>${clean(text, 300)}</dd>\n`)}</dl>`
}

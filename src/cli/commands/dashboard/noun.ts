import { webhookChannels } from '../../../contract/channels.ts'
import { unlimited } from '../../../contract/choices.ts'
import type { ReceivedDashboard, ReceivedDeliveryLog } from '../../../contract/received/subscription.ts'
import { paint } from '../../../render/terminal/draw.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { when } from '../../../util/ago.ts'
import { count } from '../../../util/words.ts'
import { advisoryEdge } from '../../../views/advisory-edge.ts'
import { deliveryTones } from '../../../views/outcome.ts'
import { titles } from '../../../views/titles.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { basisRemarks, note } from '../../output/remarks.ts'
import { noun, verb } from '../../program/verb.ts'
import { nothingNew, subscriptionRemarks } from '../feed/show.ts'
import { recentColumns } from '../projects/recent-view.ts'
import { deliveryRemarks } from '../subs/channels.ts'

export const showDashboard = verb({
  name: 'show',
  summary: 'Show plan, limits, webhooks and labels of your account',
  examples: ['relt dashboard show', 'relt dashboard --json'],
  run: async (cli) => {
    const body = await cli.call('getDashboard', {})
    const { affected } = body
    const remarks = [
      ...(affected?.artifacts === 0 && affected.known > 0 ? [note(advisoryEdge(affected.coverage))] : []),
      ...subscriptionRemarks(body.looked_at).filter(({ isWarning }) => isWarning),
      ...basisRemarks(body, cli.context.now()),
      ...deliveryRemarks(body.subscriptions ?? [], body),
    ]
    await show(cli, { body, text: (io) => renderDashboard(io, body), remarks })
  },
})

function affectedText({
  clusters,
  artifacts,
  critical,
  high,
  known,
}: NonNullable<ReceivedDashboard['affected']>): string {
  if (known === 0) return 'not known'
  const worst = [critical > 0 ? `${critical} critical` : '', high > 0 ? `${high} high` : ''].filter(Boolean).join(', ')
  const where = artifacts > 0 ? ` in ${count(clusters, 'cluster')}` : ''
  return `${artifacts} of ${count(known, 'artifact')}${where}${worst && `: ${worst}`}`
}

type Line = [label: string, text: string | null]

function renderDashboard({ color }: Io, dashboard: ReceivedDashboard): string {
  const paused = (dashboard.subscriptions ?? []).filter(({ notifications_paused }) => notifications_paused).length
  const limit = dashboard.subscription_limit ?? dashboard.limit
  const isUnlimited = limit === null || limit >= unlimited
  const subscriptions = isUnlimited ? `${dashboard.subscription_count}` : `${dashboard.subscription_count} of ${limit}`
  const labels = (dashboard.labels ?? []).map((label) => `${label.label_name} (${label.subscription_count})`)
  const lines: Line[] = [
    // A plan without limits is not worth showing.
    ...(isUnlimited ? [] : [['Plan', dashboard.plan] satisfies Line]),
    ['Subscriptions', paused > 0 ? `${subscriptions}, ${paused} paused` : subscriptions],
    ['Labels', labels.join(', ')],
    ...(dashboard.affected ? [['Vulnerable', affectedText(dashboard.affected)] satisfies Line] : []),
    ['Email', dashboard.user_email],
    ...webhookChannels.map(({ title, field }): Line => [title, dashboard[field]?.toString() ?? null]),
    ['Webhook types', dashboard.webhook_release_types],
  ]
  return [
    `${color.bold(plain(dashboard.user_login ?? 'Account'))}\n\n`,
    ...lines.map(([label, text]) => `  ${color.dim(label.padEnd(17))}${plain(text || '-')}\n`),
  ].join('')
}

export const activity = verb({
  name: 'activity',
  summary: 'List new releases of the projects you subscribe to',
  examples: ['relt dashboard activity', 'relt dashboard activity --days 30 --json'],
  options: {
    '-d, --days <count>': { help: 'days to look back, at most 365 (default: 7)', parse: wholeNumber(365) },
  },
  run: async (cli, query) => {
    const found = await cli.call('getDashboardActivity', { query })
    await show(cli, {
      body: found,
      rows: found.releases,
      columns: recentColumns,
      remarks: [...subscriptionRemarks(found.looked_at), ...basisRemarks(found, cli.context.now())],
      empty: nothingNew(found.looked_at, query.days),
    })
  },
})

export const logs = verb({
  name: 'logs',
  summary: 'List recent notifications and their state',
  examples: ['relt dashboard logs', 'relt dashboard logs --limit 100'],
  options: {
    '-n, --limit <count>': { help: 'notifications to show, at most 100 (default: 8)', parse: wholeNumber(100) },
  },
  run: async (cli, query) => {
    const found = await cli.call('getDashboardLogs', { query })
    await show(cli, { body: found, rows: found.logs, columns, empty: 'No notification has been sent yet.' })
  },
})

const columns = (io: Io, now: number): Column<ReceivedDeliveryLog>[] => [
  { title: titles.created, value: (log) => when(log.created_at, { isTerminal: io.isTerminal, now }), min: 8 },
  { title: titles.kind, value: (log) => log.kind ?? null },
  { title: titles.channel, value: (log) => log.channel },
  { title: titles.project, value: (log) => log.name, style: (cell) => io.color.bold(cell), min: 10 },
  { title: titles.version, value: (log) => log.version, min: 8 },
  {
    title: titles.status,
    value: statusFor,
    style: (cell, { status }) => (status === null ? cell : paint(io, deliveryTones[status])(cell)),
  },
  { title: titles.to, value: (log) => log.target || null, min: 12, from: 100 },
  { title: titles.reason, value: (log) => log.error, min: 10 },
]

function statusFor({ status, http_status, attempts }: ReceivedDeliveryLog): string | null {
  if (status === null) return null
  const again = attempts !== null && attempts > 1 ? `, ${attempts} times` : ''
  return http_status === null ? `${status}${again}` : `${status} (${http_status}${again})`
}

export default noun({
  examples: ['relt dashboard', 'relt dashboard activity --days 30'],
  verbs: [showDashboard, activity, logs],
  defaultVerb: showDashboard,
})

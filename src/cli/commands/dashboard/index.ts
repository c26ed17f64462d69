import { webhookChannels } from '../../../contract/channels.ts'
import { unlimited } from '../../../contract/choices.ts'
import type { ReceivedDashboard } from '../../../contract/received/subscription.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { count } from '../../../util/words.ts'
import { advisoryEdge } from '../../../views/advisory-edge.ts'
import { renderDetails } from '../../output/details.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { basisRemarks, note } from '../../output/remarks.ts'
import { verb } from '../../program/verb.ts'
import { subscriptionRemarks } from '../feed/show.ts'
import { deliveryRemarks } from '../subs/channels.ts'

export default verb({
  examples: ['relt dashboard', 'relt dashboard --json'],
  run: async (cli) => {
    const body = await cli.call('getDashboard', {})
    const { affected } = body
    const remarks = [
      affected?.artifacts === 0 && affected.known > 0 && note(advisoryEdge(affected.coverage)),
      ...subscriptionRemarks(body.looked_at).filter(({ isWarning }) => isWarning),
      ...basisRemarks(body, cli.context.now()),
      ...deliveryRemarks(body.subscriptions ?? [], body),
    ]
    await show(cli, { body, text: (io) => renderDashboard(io, body), remarks })
  },
})

function affectedText({ clusters, artifacts, critical, high, known }: NonNullable<ReceivedDashboard['affected']>) {
  if (known === 0) return 'not known'
  const worst = [critical > 0 ? `${critical} critical` : '', high > 0 ? `${high} high` : ''].filter(Boolean).join(', ')
  const where = artifacts > 0 ? ` in ${count(clusters, 'cluster')}` : ''
  return `${artifacts} of ${count(known, 'artifact')}${where}${worst && `: ${worst}`}`
}

type Field = [label: string, text: string | null]

function renderDashboard(io: Io, dashboard: ReceivedDashboard) {
  const paused = (dashboard.subscriptions ?? []).filter(({ notifications_paused }) => notifications_paused).length
  const limit = dashboard.subscription_limit ?? dashboard.limit
  const isUnlimited = limit === null || limit >= unlimited
  const subscriptions = isUnlimited ? `${dashboard.subscription_count}` : `${dashboard.subscription_count} of ${limit}`
  const labels = (dashboard.labels ?? []).map((label) => `${label.label_name} (${label.subscription_count})`)
  const fields: Field[] = [
    // A plan without limits is not worth showing.
    ...(isUnlimited ? [] : [['Plan', dashboard.plan] satisfies Field]),
    ['Subscriptions', paused > 0 ? `${subscriptions}, ${paused} paused` : subscriptions],
    ['Labels', labels.join(', ')],
    ...(dashboard.affected ? [['Vulnerable', affectedText(dashboard.affected)] satisfies Field] : []),
    ['Email', dashboard.user_email],
    ...webhookChannels.map(({ title, field }): Field => [title, dashboard[field]?.toString() ?? null]),
    ['Webhook types', dashboard.webhook_release_types],
  ]
  const name = io.color.bold(plain(dashboard.user_login ?? 'Account'))
  const details = fields.map(([label, text]): [string, string] => [label, plain(text || '-')])
  return `${name}\n\n${renderDetails(io, details)}`
}

import type { Client } from '../../../client/client.ts'
import { show } from '../../output/output.ts'
import { say } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { doEach } from '../../program/each.ts'
import { chooseSubscription, getSubscription, listSubscriptions } from '../subs/find.ts'
import { findLabel } from './find.ts'

/** Idempotent. */
export async function setAttached(
  cli: Cli,
  labelName: string | undefined,
  projects: string[],
  wanted: boolean,
): Promise<void> {
  const { id: label_id, label_name } = await findLabel(cli, labelName)
  const names = projects.length > 0 ? projects : [await chooseSubscription(cli)]
  const client = await cli.context.client()
  const all = await listSubscriptions(client)
  const set = async (idOrName: string) => {
    const { id: subscription_id, product_id, name, labels } = await getSubscription(cli, all, idOrName)
    const changed = wanted !== (labels ?? []).some((label) => label.id === label_id)
    if (changed) await change(client, { subscription_id, label_id, wanted })
    say(cli, `${name} ${verbs[`${wanted}`][`${changed}`]} the label ${label_name}`)
    return { product_id, name, subscription_id, label_id, attached: wanted, changed }
  }
  await doEach(names, set, (results) => show(cli, { body: { success: true, results } }))
}

/** Words by action, then by whether it changed anything. */
const verbs = {
  true: { true: 'has', false: 'already has' },
  false: { true: 'no longer has', false: 'did not have' },
} as const

async function change(
  client: Client,
  { subscription_id, label_id, wanted }: { subscription_id: number; label_id: number; wanted: boolean },
): Promise<void> {
  const params = { subscription_id: String(subscription_id) }
  if (wanted) await client.call('attachLabels', { params, body: { label_ids: [label_id] } })
  else await client.call('detachLabel', { params: { ...params, label_id: String(label_id) } })
}

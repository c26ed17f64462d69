import type { Client } from '../client/client.ts'
import { ReltError } from '../errors.ts'
import type { Action, ActionCall, Settings } from './action.ts'
import { toKey } from './name-key.ts'
import { setSubscribed } from './set-subscribed.ts'

export interface ApplyResult {
  /** Number of completed actions, from the first on. */
  applied: number
  /** Why the next one failed. */
  failure?: unknown
}

/** Performs actions in sequence, up to the first that fails. */
export async function applyActions(client: Client, actions: Action[]): Promise<ApplyResult> {
  for (const [applied, { step }] of actions.entries()) {
    try {
      await run(client, step)
    } catch (failure) {
      return { applied, failure }
    }
  }
  return { applied: actions.length }
}

async function run(client: Client, step: ActionCall): Promise<void> {
  switch (step.do) {
    case 'setAccount':
      await client.call('updateAccountSettings', { body: step.settings })
      break
    case 'addLabel':
      await client.call('createLabel', { body: step.label })
      break
    case 'changeLabel':
      await client.call('updateLabel', { params: { id: String(step.id) }, body: step.label })
      break
    case 'removeLabel':
      await client.call('deleteLabel', { params: { id: String(step.id) } })
      break
    case 'subscribe':
      await changeSubscription(client, await subscribe(client, step.productId), { ...step, detach: [] })
      break
    case 'changeSubscription':
      await changeSubscription(client, step.id, step)
      break
    case 'unsubscribe':
      if (await isSubscribed(client, step.productId)) await setSubscribed(client, step.productId, false)
      break
    case 'createProfile':
      await client.call('createConfig', { body: step.profile })
      break
    case 'updateProfile':
      await client.call('updateConfig', { params: { config_id: step.id }, body: step.change })
      break
    case 'deleteProfile':
      await client.call('deleteConfig', { params: { config_id: step.id } })
      break
    case 'saveOwners':
      await client.call('setOwners', { body: { owners: step.owners } })
      break
    case 'setPolicy':
      await client.call('setGatePolicy', { body: { policy: step.policy } })
      break
  }
}

async function changeSubscription(
  client: Client,
  id: number | null,
  { settings, attach, detach }: { settings: Settings; attach: string[]; detach: number[] },
): Promise<void> {
  if (Object.keys(settings).length + attach.length + detach.length === 0) return
  if (id === null) throw new ReltError('bad_answer', 'The server does not say the id of the subscription.')
  const params = { subscription_id: String(id) }
  if (Object.keys(settings).length > 0) {
    await client.call('updateSettings', { body: { subscription_id: id, ...settings } })
  }
  if (attach.length > 0) {
    await client.call('attachLabels', { params, body: { label_ids: await labelIds(client, attach) } })
  }
  for (const labelId of detach) await detachLabel(client, { ...params, label_id: String(labelId) })
}

/** A deleted label is already detached. */
async function detachLabel(client: Client, params: { subscription_id: string; label_id: string }): Promise<void> {
  try {
    await client.call('detachLabel', { params })
  } catch (error) {
    if (!(error instanceof ReltError) || error.code !== 'not_found') throw error
  }
}

/** By now every label exists. */
async function labelIds(client: Client, names: string[]): Promise<number[]> {
  const { labels } = await client.call('listLabels', {})
  const keys = new Set(names.map(toKey))
  return labels.filter(({ label_name }) => keys.has(toKey(label_name))).map(({ id }) => id)
}

/** Returns the id, also of a subscription that was created since the plan; null if the server does not return it. */
async function subscribe(client: Client, productId: number): Promise<number | null> {
  if (!(await isSubscribed(client, productId))) return setSubscribed(client, productId, true)
  const { subscriptions } = await client.call('listSubscriptions', {})
  const found = subscriptions.find(({ product_id }) => product_id === productId)
  return found ? found.id : setSubscribed(client, productId, true)
}

async function isSubscribed(client: Client, productId: number): Promise<boolean> {
  const { subscribed_ids } = await client.call('getMySubscriptions', {})
  return subscribed_ids.includes(productId)
}

import type { RouteCaller } from '../client/client.ts'
import { insteadOf, ReltError } from '../errors.ts'
import { nameKey as toKey } from '../util/pick-named.ts'
import type { Action, ActionCall, Settings } from './action.ts'
import { setSubscribed } from './set-subscribed.ts'

/** Performs actions in sequence, up to the first that fails. Returns the number of completed ones, and the failure. */
export async function applyActions(client: RouteCaller, actions: Action[]) {
  for (const [applied, { step }] of actions.entries()) {
    try {
      await performStep(client, step)
    } catch (failure) {
      return { applied, failure }
    }
  }
  return { applied: actions.length }
}

async function performStep(client: RouteCaller, step: ActionCall): Promise<unknown> {
  switch (step.do) {
    case 'setAccount':
      return client.call('updateAccountSettings', { body: step.settings })
    case 'addLabel':
      return client.call('createLabel', { body: step.label })
    case 'changeLabel':
      return client.call('updateLabel', { params: { id: String(step.id) }, body: step.label })
    case 'removeLabel':
      return client.call('deleteLabel', { params: { id: String(step.id) } })
    case 'subscribe':
      return changeSubscription(client, await subscribe(client, step.productId), { ...step, detach: [] })
    case 'changeSubscription':
      return changeSubscription(client, step.id, step)
    case 'unsubscribe':
      return (await isSubscribed(client, step.productId)) && setSubscribed(client, step.productId, false)
    case 'createProfile':
      return client.call('createConfig', { body: step.profile })
    case 'updateProfile':
      return client.call('updateConfig', { params: { config_id: step.id }, body: step.change })
    case 'deleteProfile':
      return client.call('deleteConfig', { params: { config_id: step.id } })
    case 'saveOwners':
      return client.call('setOwners', { body: { owners: step.owners } })
    case 'setPolicy':
      return client.call('setGatePolicy', { body: { policy: step.policy } })
  }
}

async function changeSubscription(
  client: RouteCaller,
  id: number | null,
  { settings, attach, detach }: { settings: Settings; attach: string[]; detach: number[] },
) {
  if (Object.keys(settings).length + attach.length + detach.length === 0) return
  if (id === null) throw new ReltError('bad_answer', 'The server does not say the id of the subscription.')
  const params = { subscription_id: String(id) }
  if (Object.keys(settings).length > 0) {
    await client.call('updateSettings', { body: { subscription_id: id, ...settings } })
  }
  if (attach.length > 0) {
    await client.call('attachLabels', { params, body: { label_ids: await labelIds(client, attach) } })
  }
  for (const label_id of detach.map(String)) {
    // A deleted label is already detached.
    await client.call('detachLabel', { params: { ...params, label_id } }).catch(insteadOf('not_found', undefined))
  }
}

/** By now every label exists. */
async function labelIds(client: RouteCaller, names: string[]) {
  const { labels } = await client.call('listLabels', {})
  const keys = new Set(names.map(toKey))
  return labels.filter(({ label_name }) => keys.has(toKey(label_name))).map(({ id }) => id)
}

/** Returns the id, also of a subscription that was created since the plan; null if the server does not return it. */
async function subscribe(client: RouteCaller, productId: number) {
  if (!(await isSubscribed(client, productId))) return setSubscribed(client, productId, true)
  const { subscriptions } = await client.call('listSubscriptions', {})
  const found = subscriptions.find(({ product_id }) => product_id === productId)
  return found ? found.id : setSubscribed(client, productId, true)
}

async function isSubscribed(client: RouteCaller, productId: number) {
  const { subscribed_ids } = await client.call('getMySubscriptions', {})
  return subscribed_ids.includes(productId)
}

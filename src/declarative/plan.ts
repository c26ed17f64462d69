import type { RouteCaller } from '../client/client.ts'
import { webhookChannels } from '../contract/channels.ts'
import { nameKey as toKey } from '../util/pick-named.ts'
import type { Action } from './action.ts'
import { type CurrentState, readCurrent } from './current.ts'
import { difference } from './difference.ts'
import type { WantedFile } from './read-wanted.ts'
import { resolveProjects } from './resolve-projects.ts'
import { isUsable, resolveWebhook, type WebhookVariables } from './webhook.ts'

export interface ActionPlan {
  actions: Action[]
  /** Variables in the file that are not set, so that their webhooks could not be compared. */
  unset: string[]
}

/** Actions that make the account match the file. Throws `usage` with the lines of invalid entries. */
export async function makePlan(
  client: RouteCaller,
  file: WantedFile,
  options: { prune: boolean; variables: WebhookVariables },
): Promise<ActionPlan> {
  const { account, labels, subscriptions, profiles, owners } = file.wanted
  const { policy } = file
  const unset = checkVariables(file, options.variables)
  const current = await readCurrent(client, {
    profiles: profiles !== undefined,
    owners: owners !== undefined,
    policy: policy !== undefined,
  })
  checkLabels(file, current)
  checkProfiles(file, current)
  const resolved = await resolveProjects(client, file, current)
  const wanted = { account, labels, subscriptions: subscriptions && resolved, profiles, owners, policy }
  return { actions: difference(current, wanted, options), unset }
}

/** Returns the names of variables that are not set. */
function checkVariables({ wanted, source }: WantedFile, variables: WebhookVariables) {
  const unset = new Set<string>()
  const places = [
    { path: ['account'], webhooks: wanted.account ?? {} },
    ...(wanted.subscriptions ?? []).map((webhooks, index) => ({ path: ['subscriptions', index], webhooks })),
  ]
  for (const { path, webhooks } of places) {
    for (const channel of webhookChannels) {
      const webhook = resolveWebhook(channel, webhooks[channel.field] ?? '', variables)
      if (webhook.variable === undefined) continue
      if (webhook.address === undefined) unset.add(webhook.variable)
      else if (!isUsable(channel, webhook))
        source.problem([...path, channel.field], `${webhook.variable} holds no https address`)
    }
  }
  source.throwProblems()
  return [...unset]
}

function checkLabels({ wanted, source }: WantedFile, { labels }: CurrentState) {
  const known = new Set(
    [...labels.map(({ label_name }) => label_name), ...(wanted.labels ?? []).map(({ name }) => name)].map(toKey),
  )
  for (const [index, subscription] of (wanted.subscriptions ?? []).entries()) {
    for (const [position, name] of (subscription.labels ?? []).entries()) {
      const path = ['subscriptions', index, 'labels', position]
      if (!known.has(toKey(name))) source.problem(path, `no label is called ${JSON.stringify(name)}: add it to labels`)
    }
  }
  source.throwProblems()
}

function checkProfiles({ wanted, source }: WantedFile, { profiles }: CurrentState) {
  for (const [index, { name }] of (wanted.profiles ?? []).entries()) {
    const count = profiles.filter((profile) => profile.name === name).length
    if (count > 1)
      source.problem(['profiles', index], `${count} profiles are called ${JSON.stringify(name)}: rename them`)
  }
  source.throwProblems()
}

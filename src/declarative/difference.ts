import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { webhookFields } from '../contract/channels.ts'
import type { OwnerRule } from '../contract/ownership.ts'
import type { ScanSettings } from '../contract/scan-settings.ts'
import type { WantedAccount, WantedLabel, WantedProfile } from '../contract/wanted-state.ts'
import { ReltError } from '../errors.ts'
import { nameKey as toKey } from '../util/pick-named.ts'
import type { Action, FieldChange } from './action.ts'
import type { CurrentState, StoredProfile } from './current.ts'
import { changedFields, toLabelInput } from './label.ts'
import type { ResolvedSubscription } from './resolve-projects.ts'
import { flatSettings, knownSettings, replaceKnown } from './scan-settings.ts'
import { notKnown, settingChanges } from './setting-changes.ts'
import { showWebhook, type WebhookVariables } from './webhook.ts'

/** An undefined part is not in the file: nothing of it is changed or removed. */
export interface ResolvedState {
  account: WantedAccount | undefined
  labels: WantedLabel[] | undefined
  subscriptions: ResolvedSubscription[] | undefined
  profiles: WantedProfile[] | undefined
  owners: OwnerRule[] | undefined
  policy: string | undefined
}

/**
 * Actions in an order that works: removals first, to make room within plan limits, and labels before they are attached.
 * `prune` removes items that are missing from the parts in the file.
 */
export function difference(
  current: CurrentState,
  wanted: ResolvedState,
  { prune, variables }: { prune: boolean; variables: WebhookVariables },
): Action[] {
  const byName = new Map(current.profiles.map((profile) => [profile.name, profile]))
  return [
    ...(prune ? removals(current, wanted) : []),
    ...(wanted.account ? accountDifference(current, wanted.account, variables) : []),
    ...(wanted.labels ?? []).flatMap((label) => labelDifference(current, label)),
    ...(wanted.subscriptions ?? []).flatMap((each) => subscriptionDifference(current, each, variables)),
    ...(wanted.profiles ?? []).flatMap((profile) => profileDifference(byName.get(profile.name), profile)),
    ...(wanted.owners ? ownersDifference(current.owners, wanted.owners) : []),
    ...(wanted.policy === undefined ? [] : policyDifference(current.policy, wanted.policy)),
  ]
}

function ownersDifference(current: OwnerRule[], owners: OwnerRule[]): Action[] {
  const [before, after] = [current, owners].map((rules) => rules.map(ruleText))
  if (isDeepStrictEqual(before, after)) return []
  const gone = before!.filter((text) => !after!.includes(text))
  const fields = [
    ...gone.map((text) => ({ name: 'rule', from: text, to: 'none' })),
    ...after!.filter((text) => !before!.includes(text)).map((text) => ({ name: 'rule', from: null, to: text })),
  ]
  const inOrder = { name: 'order of rules', from: 'another', to: 'that of the file' }
  return [
    {
      change: current.length === 0 ? 'add' : 'change',
      kind: 'owners',
      name: 'rules',
      fields: fields.length > 0 ? fields : [inOrder],
      step: { do: 'saveOwners', owners },
    },
  ]
}

/** Formats a rule: `payments (#payments): cluster prod-*, namespace pay-*` */
function ruleText({ owner, contact, ...patterns }: OwnerRule) {
  const places = Object.entries(patterns)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, pattern]) => (pattern === undefined ? [] : [`${name} ${pattern}`]))
  return `${owner}${contact === undefined ? '' : ` (${contact})`}: ${places.join(', ') || 'everything'}`
}

function policyDifference(current: string | null, policy: string): Action[] {
  if (current === policy) return []
  const toHash = (text: string) => hash('sha256', text, 'hex').slice(0, 12)
  const fields = [{ name: 'sha256', from: current === null ? null : toHash(current), to: toHash(policy) }]
  const change = current === null ? 'add' : 'change'
  return [{ change, kind: 'policy', name: 'of gates', fields, step: { do: 'setPolicy', policy } }]
}

function removals(current: CurrentState, wanted: ResolvedState): Action[] {
  const projects = new Set(wanted.subscriptions?.map(({ productId }) => productId))
  // A label of a subscription in the file counts as named, too.
  const attached = wanted.subscriptions?.flatMap(({ labels = [] }) => labels) ?? []
  const labels = new Set([...attached, ...(wanted.labels ?? []).map(({ name }) => name)].map(toKey))
  const profiles = new Set(wanted.profiles?.map(({ name }) => name))
  const remove = { change: 'remove' as const, fields: [] }
  return [
    ...(wanted.subscriptions ? current.subscriptions : [])
      .filter(({ product_id }) => !projects.has(product_id))
      .map(
        ({ name, product_id: productId }): Action => ({
          ...remove,
          kind: 'subscription',
          name,
          step: { do: 'unsubscribe', productId },
        }),
      ),
    ...(wanted.labels ? current.labels : [])
      .filter(({ label_name }) => !labels.has(toKey(label_name)))
      .map(({ label_name: name, id }): Action => ({ ...remove, kind: 'label', name, step: { do: 'removeLabel', id } })),
    ...(wanted.profiles ? current.profiles : [])
      .filter(({ name }) => !profiles.has(name))
      .map(
        ({ name, config_id: id }): Action => ({ ...remove, kind: 'profile', name, step: { do: 'deleteProfile', id } }),
      ),
    ...(wanted.account ? webhookRemovals(current, wanted.account) : []),
  ]
}

function webhookRemovals(current: CurrentState, wanted: WantedAccount): Action[] {
  const { account } = current
  return webhookFields
    .filter((name) => wanted[name] === undefined && (account === undefined || account[name]))
    .map((name) => ({
      change: 'remove',
      kind: 'account',
      name,
      fields: [{ name, from: account ? showWebhook(account[name]) : notKnown, to: 'none' }],
      step: { do: 'setAccount', settings: { [name]: '' } },
    }))
}

function accountDifference(current: CurrentState, wanted: WantedAccount, variables: WebhookVariables): Action[] {
  const { fields, settings } = settingChanges(current.account ?? {}, wanted, variables)
  if (fields.length === 0) return []
  return [{ change: 'change', kind: 'account', name: 'webhooks', fields, step: { do: 'setAccount', settings } }]
}

function labelDifference({ labels }: CurrentState, wanted: WantedLabel): Action[] {
  const { name } = wanted
  const label = toLabelInput(wanted)
  const stored = labels.find(({ label_name }) => toKey(label_name) === toKey(name))
  const changed = changedFields(stored, wanted)
  if (!stored) {
    const fields = changed.filter((field) => field.name !== 'name')
    return [{ change: 'add', kind: 'label', name, fields, step: { do: 'addLabel', label } }]
  }
  if (changed.length === 0) return []
  return [{ change: 'change', kind: 'label', name, fields: changed, step: { do: 'changeLabel', id: stored.id, label } }]
}

function subscriptionDifference(
  current: CurrentState,
  wanted: ResolvedSubscription,
  variables: WebhookVariables,
): Action[] {
  const { productId, name } = wanted
  const stored = current.subscriptions.find(({ product_id }) => product_id === productId)
  // Settings of a subscription in the reduced form are unknown; null would mean that it has no webhook.
  const known = stored?.id === null ? {} : stored
  const { fields, settings } = settingChanges(known, wanted, variables)
  const before = stored?.labels ?? []
  const labels = new Map(
    (wanted.labels ?? before.map(({ label_name }) => label_name)).map((each) => [toKey(each), each]),
  )
  const attach = [...labels.values()].filter(
    (each) => !before.some(({ label_name }) => toKey(label_name) === toKey(each)),
  )
  const detach = before.filter(({ label_name }) => !labels.has(toKey(label_name))).map(({ id }) => id)
  if (attach.length + detach.length > 0) {
    const from = stored ? (stored.labels ? toList(before.map(({ label_name }) => label_name)) : notKnown) : null
    fields.push({ name: 'labels', from, to: toList([...labels.values()]) })
  }
  if (!stored) {
    return [
      { change: 'add', kind: 'subscription', name, fields, step: { do: 'subscribe', productId, settings, attach } },
    ]
  }
  if (fields.length === 0) return []
  if (stored.id === null) {
    throw new ReltError(
      'bad_answer',
      `The server does not say the id of the subscription to ${name}, so it cannot be changed.`,
    )
  }
  const step = { do: 'changeSubscription', id: stored.id, settings, attach, detach } as const
  return [{ change: 'change', kind: 'subscription', name, fields, step }]
}

function toList(names: string[]) {
  return names.length === 0 ? 'none' : names.sort().join(', ')
}

/** Changes that make the stored profile, if any, equal the wanted one. */
function profileDifference(stored: StoredProfile | undefined, wanted: WantedProfile): Action[] {
  const { name, settings, ...rest } = wanted
  const fields = [...plainFields(stored, rest), ...(settings ? settingFields(stored?.settings, settings) : [])]
  if (!stored) return [{ change: 'add', kind: 'profile', name, fields, step: { do: 'createProfile', profile: wanted } }]
  if (fields.length === 0) return []
  const change = { ...rest, ...(settings && { settings: replaceKnown(stored.settings, settings) }) }
  return [
    { change: 'change', kind: 'profile', name, fields, step: { do: 'updateProfile', id: stored.config_id, change } },
  ]
}

function plainFields(
  stored: StoredProfile | undefined,
  wanted: Omit<WantedProfile, 'name' | 'settings'>,
): FieldChange[] {
  const names = ['cluster_name', 'provider', 'notes'] as const
  return names.flatMap((name) => {
    const to = wanted[name]
    if (to === undefined || to === (stored?.[name] ?? '')) return []
    return { name, from: stored ? (stored[name] ?? notKnown) : null, to }
  })
}

function settingFields(stored: ScanSettings | undefined, wanted: ScanSettings) {
  const before = flatSettings(knownSettings(stored ?? {}))
  const after = flatSettings(wanted)
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => ({
      name: `settings.${name}`,
      from: stored ? (before.get(name) ?? 'none') : null,
      to: after.get(name) ?? 'none',
    }))
}

import * as fc from 'fast-check'
import { eachWebhook } from '../../src/contract/channels.ts'
import type { WantedState } from '../../src/contract/wanted-state.ts'
import { knownSettings } from '../../src/declarative/scan-settings.ts'
import { nameKey as toKey } from '../../src/util/pick-named.ts'
import { anyCharacter } from '../helpers/any-character.ts'
import { hostileProfile } from '../profiles/arbitrary.ts'

export const variables = {
  HOOK_A: 'https://hooks.example/services/a',
  HOOK_B: 'https://hooks.example/services/b',
}

const optional = <T extends Record<string, unknown>>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(shape, { requiredKeys: [] })

/** One line, as names are. */
const name = fc
  .oneof(
    fc.constantFrom('no', '~', 'env:X', '- a', 'a: b', '#a', '&a *a', '\u202eabc', 'É', '7', '\u{e0001}tag', '"', "'"),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  )
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what no name has
  .map((text) => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '').trim() || 'x')

const types = fc.constantFrom('app', 'helm', 'pre', 'app,helm', 'helm, app', 'pre,app,helm')
const webhook = fc.constantFrom(
  '',
  'env:HOOK_A',
  'env:HOOK_B',
  'https://chat.example/T0/B0/x',
  'https://hooks.example:9/y',
)
const webhooks = {
  ...eachWebhook(() => webhook),
  webhook_release_types: types,
}

const labels = fc.uniqueArray(fc.record({ name, color: fc.stringMatching(/^#[0-9a-fA-F]{6}$/) }), {
  maxLength: 5,
  selector: (label) => toKey(label.name),
})

const subscription = fc
  .tuple(
    fc.constantFrom('Argo CD', 'argo-cd', 'harbor', 'Istio', 'nginx', 'QUIET'),
    optional({
      email_enabled: fc.boolean(),
      email_frequency: fc.constantFrom('per_app' as const, 'daily' as const, 'weekly' as const),
      release_types_filter: types,
      use_global_webhooks: fc.boolean(),
      notifications_paused: fc.boolean(),
      ...webhooks,
    }),
    fc.option(fc.array(fc.nat(), { maxLength: 4 }), { nil: undefined }),
  )
  .map(([project, settings, picks]) => ({ project, settings, picks }))

const notes = fc.string({ unit: anyCharacter }).map((text) => text.replaceAll('\0', ''))

const profiles = fc.uniqueArray(
  fc
    .tuple(name, hostileProfile, optional({ cluster_name: name, notes }))
    .map(([name, { provider, settings }, rest]) => ({ name, provider, settings: knownSettings(settings), ...rest })),
  { maxLength: 3, selector: (profile) => profile.name },
)

/** What somebody may want, each part or none of it; labels are attached that the state has. */
export const anyState: fc.Arbitrary<WantedState> = optional({
  account: optional(webhooks),
  labels,
  subscriptions: fc.uniqueArray(subscription, {
    selector: ({ project }) => project.toLowerCase().replace(' ', '-'),
  }),
  profiles,
}).map(({ subscriptions, ...state }) => {
  const names = state.labels?.map((label) => label.name) ?? []
  return {
    ...state,
    ...(subscriptions && {
      subscriptions: subscriptions.map(({ project, settings, picks }) => ({
        project,
        ...settings,
        ...(picks && { labels: names.length === 0 ? [] : picks.map((pick) => names[pick % names.length]!) }),
      })),
    }),
  } as WantedState
})

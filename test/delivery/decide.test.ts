import { describe, expect, test } from 'vitest'
import { pauseOfHost } from '../../src/delivery/attempts.ts'
import { decideDigest, decideMessages, isInScope } from '../../src/delivery/decide.ts'
import type {
  AccountRules,
  InstalledVersion,
  LoggedEvent,
  Recipient,
  SubscriptionRules,
} from '../../src/delivery/rules.ts'

const day = 86_400
const at = Date.UTC(2026, 10, 22, 12) / 1000

const release = (data: LoggedEvent['data'] = {}, more: Partial<LoggedEvent> = {}): LoggedEvent => ({
  ...{ id: 1, type: 'release.published', at, ownerId: null, projectId: 7, cluster: null },
  data: { version: 'v2.0.0', releaseType: 'app', ...data },
  ...more,
})
const regression = (data: LoggedEvent['data'] = {}, more: Partial<LoggedEvent> = {}): LoggedEvent => ({
  ...{ id: 1, type: 'report.regressed', at, ownerId: 1, projectId: null },
  cluster: { name: 'prod-eu', environment: 'prod', labels: [] },
  data,
  ...more,
})

interface Settings {
  rules?: Partial<AccountRules>
  subscription?: Partial<SubscriptionRules>
  recipient?: Partial<Recipient>
}

function recipientFor({ rules, subscription, recipient }: Settings): Recipient {
  return {
    ...{ userId: 1, hasEmail: true, webhooks: new Set(['slack'] as const), ownerIds: new Set([1]) },
    rules: {
      ...{ webhook_release_types: 'app,helm', time_zone: 'UTC', digest_hour: 8, digest_weekday: 'monday' },
      ...{ quiet_hours: '', quiet_hours_except: 'none', min_severity: 'none', only_what_runs: false },
      ...{ cluster_events: 'report.regressed,support.ends', cluster_scope: '', cluster_mails: true },
      ...{ owner_scope: '', fleet_report: 'off' },
      ...rules,
    },
    subscriptions: new Map([
      [
        7,
        {
          ...{ id: 70, projectId: 7, since: at - 30 * day, email_enabled: true, email_frequency: 'per_app' },
          ...{ release_types_filter: 'app', webhook_release_types: 'app', use_global_webhooks: true },
          ...{ notifications_paused: false, webhooks: new Set<never>() },
          ...subscription,
        },
      ],
    ]),
    ...recipient,
  }
}

const runningOf = (...versions: Partial<InstalledVersion>[]) =>
  new Map([
    [
      7,
      versions.map((one) => ({
        ...{ ownerId: 1, cluster: 'prod-eu', environment: 'prod', labels: [], kind: 'image' as const },
        ...{ name: 'quay.io/argoproj/argocd', version: 'v1.0.0' },
        ...one,
      })),
    ],
  ])

/** Channels that get the event. */
const channelsFor = (event: LoggedEvent, settings: Settings = {}, running = runningOf()) =>
  decideMessages([event], recipientFor(settings), running).map(({ channel }) => channel)
const both = ['email', 'slack']

describe('a release is sent', () => {
  test.each<[string, string[], LoggedEvent, Settings]>([
    ['to a subscriber', both, release(), {}],
    ['to nobody else', [], release({}, { projectId: 8 }), {}],
    ['to no paused subscription', [], release(), { subscription: { notifications_paused: true } }],
    ['from the second of the subscription', both, release(), { subscription: { since: at } }],
    ['never from before the subscription', [], release(), { subscription: { since: at + 1 } }],
    ['up to 14 days after it was published', both, release({ publishedAt: at - 14 * day }), {}],
    ['not when it is older', [], release({ publishedAt: at - 14 * day - 1 }), {}],
    [
      'not when it is older than the subscription',
      [],
      release({ publishedAt: at - 2 }),
      { subscription: { since: at - 1 } },
    ],
    ['when it is promoted, however old', both, release({ publishedAt: 0 }, { type: 'release.promoted' }), {}],
    [
      'to the webhook of the account only where the subscription uses it',
      ['email'],
      release(),
      { subscription: { use_global_webhooks: false } },
    ],
    [
      'to the webhook of the account only for its types',
      ['email'],
      release(),
      { rules: { webhook_release_types: 'helm' } },
    ],
    [
      'to a webhook only for the types of the subscription',
      ['email'],
      release(),
      { subscription: { webhook_release_types: 'helm' } },
    ],
    [
      'to a webhook of the subscription for any type of the account',
      both,
      release(),
      { rules: { webhook_release_types: '' }, subscription: { webhooks: new Set(['slack'] as const) } },
    ],
    ['by mail only for its types', ['slack'], release(), { subscription: { release_types_filter: 'helm' } }],
    [
      'by mail only at once where no digest has it',
      ['slack'],
      release(),
      { subscription: { email_frequency: 'daily' } },
    ],
    ['by mail only where mails are on', ['slack'], release(), { subscription: { email_enabled: false } }],
    ['by mail only to an address', ['slack'], release(), { recipient: { hasEmail: false } }],
    [
      'from the lowest severity',
      both,
      release({ isSecurityFix: true, severity: 'high' }),
      { rules: { min_severity: 'high' } },
    ],
    ['not below it', [], release({ isSecurityFix: true, severity: 'medium' }), { rules: { min_severity: 'high' } }],
    [
      'at an unknown severity, which may be any',
      both,
      release({ isSecurityFix: true, severity: null }),
      { rules: { min_severity: 'critical' } },
    ],
    [
      'only as a fix if there is a lowest severity',
      [],
      release({ severity: 'critical' }),
      { rules: { min_severity: 'low' } },
    ],
  ])('%s', (_, channels, event, settings) => {
    expect(channelsFor(event, settings)).toEqual(channels)
  })

  test.each<[string, string[], LoggedEvent['data'], Partial<InstalledVersion>]>([
    ['an older version', both, {}, {}],
    ['an unknown version', both, {}, { version: null }],
    ['the same version', [], {}, { version: 'v2.0.0' }],
    ['an older version for others', [], {}, { ownerId: 2 }],
    ['a chart, when the release is an app', [], {}, { kind: 'helm_chart' }],
    [
      'an older chart',
      both,
      { releaseType: 'helm', chartName: 'argo-cd' },
      { kind: 'helm_chart', name: 'argo/argo-cd' },
    ],
    [
      'another chart of the project',
      [],
      { releaseType: 'helm', chartName: 'argo-cd' },
      { kind: 'helm_chart', name: 'argo-rollouts' },
    ],
  ])('with only_what_runs where a cluster runs %s: %j', (_, channels, data, installed) => {
    const types = { release_types_filter: 'app,helm', webhook_release_types: 'app,helm' }
    const settings = { rules: { only_what_runs: true }, subscription: types }
    expect(channelsFor(release(data), settings, runningOf(installed))).toEqual(channels)
  })
})

describe('an event of a cluster is sent', () => {
  const ends = (more = {}) => release({ line: '1.0' }, { type: 'support.ends', ...more })
  test.each<[string, string[], LoggedEvent, Settings]>([
    ['to its owner', both, regression(), {}],
    ['to nobody else', [], regression({}, { ownerId: 2 }), {}],
    ['only where its type is wanted', [], regression(), { rules: { cluster_events: 'gate.failed' } }],
    ['by webhook only when its mails have ended', ['slack'], regression(), { rules: { cluster_mails: false } }],
    ['from the lowest severity', both, regression({ severity: 'high' }), { rules: { min_severity: 'high' } }],
    ['not below it', [], regression({ severity: 'medium' }), { rules: { min_severity: 'high' } }],
    ['outside of the scope to nobody', [], regression(), { rules: { cluster_scope: 'prod-us' } }],
    ['at the end of the support of what runs', both, ends(), {}],
    ['not for what runs outside of the scope', [], ends(), { rules: { cluster_scope: 'prod-us' } }],
  ])('%s', (_, channels, event, settings) => {
    expect(channelsFor(event, settings, runningOf({ version: 'v1.0.3' }))).toEqual(channels)
  })

  test.each<[running: string | undefined, ends: string | undefined, channels: string[]]>([
    ['eks', 'eks', both],
    ['eks', undefined, []],
    ['eks', 'gke', []],
    [undefined, 'eks', []],
    [undefined, undefined, both],
    // Its own ends are not known.
    ['rke2', undefined, both],
  ])('of Kubernetes by %s at the end of the support by %s', (running, offering, channels) => {
    const event = release({ line: '1.0', ...(offering !== undefined && { offering }) }, { type: 'support.ends' })
    const kubernetes = { kind: 'kubernetes' as const, name: 'kubernetes', version: 'v1.0.3', offering: running }
    expect(channelsFor(event, {}, runningOf(kubernetes))).toEqual(channels)
  })

  test.each([
    ['', true],
    ['prod-eu', true],
    ['prod-eu/prod', true],
    ['prod-eu/test', false],
    ['prod', false],
    ['other, label:gdpr', true],
    ['gdpr', false],
  ])('in the scope %j: %j', (scope, isIn) => {
    const cluster = { name: 'prod-eu', environment: 'prod', labels: ['gdpr'] }
    expect(isInScope({ cluster_scope: scope }, cluster)).toBe(isIn)
  })
})

test.each([
  [{ isSecurityFix: true, severity: 'critical' as const }, 0],
  [{ isSecurityFix: true, severity: null }, 0],
  [{ isSecurityFix: true, severity: 'high' as const }, 3600],
  [{ severity: 'critical' as const }, 3600],
])('quiet hours let only severe security fixes through: %j', (data, wait) => {
  const rules = { quiet_hours: '11:00-13:00', quiet_hours_except: 'critical' } as const
  const messages = decideMessages([release(data)], recipientFor({ rules }), new Map())
  expect(messages.map(({ notBefore }) => notBefore - at)).toEqual([wait, wait])
})

describe('a digest', () => {
  const span = { period: 'daily', from: at - day, to: at } as const
  const daily = { email_frequency: 'daily' } as const
  const toDigest = (settings: Settings, events = [release()]) =>
    decideDigest(events, recipientFor(settings), new Map(), span)

  test('has only releases, and waits for the end of quiet hours', () => {
    const events = [release(), regression({}, { id: 2 }), release({}, { id: 3, type: 'support.ends' })]
    const digest = toDigest({ subscription: daily, rules: { quiet_hours: '11:00-13:00' } }, events)
    expect(digest).toMatchObject({ eventIds: [1], at, notBefore: at + 3600 })
  })

  test('needs an address and a subscription of its period', () => {
    expect(toDigest({ subscription: daily, recipient: { hasEmail: false } })).toBeUndefined()
    expect(toDigest({ subscription: { email_frequency: 'weekly' } })).toBeUndefined()
    expect(toDigest({ subscription: { ...daily, email_enabled: false } })).toBeUndefined()
  })
})

test('a host is left alone from its fifth failure in a row, for 30 s to 15 min', () => {
  expect([0, 4, 5, 6, 9, 10, 100].map(pauseOfHost)).toEqual([0, 0, 30, 60, 480, 900, 900])
})

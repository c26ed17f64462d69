import fc from 'fast-check'
import type { EventType } from '../../../src/contract/choices.ts'
import type { Message, NotificationEvent, ReleaseEvent } from '../../../src/notify/message.ts'
import { anyCharacter, anyUrl } from '../../helpers/any-character.ts'

const at = 1_795_000_000

export const noLinks = { page: null, settings: null, unsubscribe: null }
export const links = {
  page: 'https://relt.example/projects/7',
  settings: 'https://relt.example/settings',
  unsubscribe: 'https://relt.example/unsubscribe?token=abc',
}

export function release(change: Partial<ReleaseEvent> = {}): ReleaseEvent {
  return {
    type: 'release.published',
    id: 'evt_1',
    at,
    project: { id: 7, name: 'Argo CD' },
    version: 'v3.2.1',
    releaseType: 'app',
    publishedAt: at - 3600,
    url: 'https://github.com/argoproj/argo-cd/releases/tag/v3.2.1',
    notes: '<h2>Fixes</h2><ul><li>Repository credentials no longer leak</li></ul>',
    isSecurityFix: true,
    severity: 'critical',
    advisories: ['CVE-2026-1234'],
    runsIn: [
      { cluster: 'prod-eu', environment: 'prod', version: 'v3.1.0' },
      { cluster: 'prod-us', environment: 'prod', version: 'v3.1.0' },
      { cluster: 'staging', environment: 'test', version: 'v3.2.0' },
    ],
    ...change,
  }
}

export function message(events: NotificationEvent[], change: Partial<Message> = {}): Message {
  return { id: 'msg_2Kx', type: events[0]?.type ?? 'digest', at, events, links, attempt: 1, ...change }
}

export function digest(events: NotificationEvent[]): Message {
  const period = { period: 'daily', from: at - 86_400, to: at, timeZone: 'Europe/Berlin' } as const
  return message(events, { type: 'digest', digest: period })
}

/** Of each type of event one, as the product makes them. */
export const samples: Record<Exclude<EventType, 'digest'>, NotificationEvent> = {
  'release.published': release(),
  'release.promoted': release({ type: 'release.promoted', isSecurityFix: false, severity: null, advisories: [] }),
  'release.security': release({ type: 'release.security' }),
  'artifact.compromised': {
    type: 'artifact.compromised',
    id: 'evt_9',
    at,
    cluster: 'prod-eu',
    environment: 'prod',
    runId: 'crun_k3v7',
    artifact: 'aquasec/trivy:0.69.4',
    advice: 'Stop it now, and change every secret that it could read: attackers planted it. Upgrade to 0.70.0 now.',
    source: 'https://github.com/aquasecurity/trivy/security/advisories/GHSA-69fq-xp46-6x23',
    places: ['security/cronjob/trivy'],
  },
  'report.regressed': {
    type: 'report.regressed',
    id: 'evt_2',
    at,
    cluster: 'prod-eu',
    environment: 'prod',
    runId: 'crun_k3v7',
    since: at - 86_400,
    sinceText: 'Fri 08:00',
    score: 71.5,
    previousScore: 82,
    scores: '82 \u2192 71.5',
    counts: { critical: 1, high: 2 },
    regressed: 0,
    accepted: 0,
    findings: [
      {
        checkId: 'SEC001',
        check: 'Privileged container',
        severity: 'critical',
        namespace: 'shop',
        resource: 'Pod/api',
      },
      { checkId: 'NET004', check: 'No network policy', severity: 'high', namespace: 'shop', resource: null },
    ],
  },
  'gate.failed': {
    type: 'gate.failed',
    id: 'evt_3',
    at,
    cluster: 'prod-eu',
    environment: 'prod',
    runId: 'crun_k3v7',
    reasons: ['new: 3 new findings of severity high or worse, at most 0'],
  },
  'cluster.silent': {
    type: 'cluster.silent',
    id: 'evt_4',
    at,
    cluster: 'prod-eu',
    environment: 'prod',
    lastReportAt: at - 200_000,
    expectedEverySeconds: 86_400,
    endedAt: null,
  },
  'support.ends': {
    type: 'support.ends',
    id: 'evt_5',
    at,
    project: { id: 9, name: 'Kubernetes' },
    line: '1.31',
    endsAt: at + 30 * 86_400,
    runsIn: [{ cluster: 'prod-eu', environment: 'prod', version: 'v1.31.4' }],
  },
  'exception.expires': {
    type: 'exception.expires',
    id: 'evt_6',
    at,
    exceptionId: 'exc_1',
    subject: 'CVE-2025-1111 in shop/api',
    reason: 'Waiting for the vendor',
    expiresAt: at + 7 * 86_400,
  },
  'target.disabled': {
    type: 'target.disabled',
    id: 'evt_8',
    at,
    channel: 'Slack',
    subscription: 'Argo CD',
    reason: 'no_service',
  },
  'fleet.report': {
    ...{ type: 'fleet.report', id: 'evt_12', at, verdict: '1 of 2 clusters needs attention' },
    ...{ lines: ['prod-eu (prod): new critical findings'], page: '<!doctype html><title>Fleet</title>' },
  },
  test: { type: 'test', id: 'evt_7', at },
}

const attacks = [
  '<!channel> <!here|x> <@U024BE7LH> <#C024BE7LR>',
  '@everyone @here @channel @all <@&123> <users/all> <at>Ada</at>',
  '"><script>alert(1)</script><img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a><style>*{display:none}</style>',
  'x\r\nBcc: victim@example.com\r\n\r\nbody',
  '[click](javascript:alert(1)) ![x](https://evil.example/p.png) <https://evil.example|relt>',
  '`$(rm -rf ~)` ```\n# Heading\n> quote *b* _i_ ~s~ ||spoiler||',
  '&lt;!channel&gt; &amp;amp; &#60;script&#62;',
  '{"type":"AdaptiveCard"} {{DATE(2026-01-01T00:00:00Z)}} $(expression)',
  '\u202egnp.exe\u202c \u2066x\u2069 a\u200bb \ufeff',
  '\ud83d\ude00'.repeat(400),
  '&'.repeat(3000),
  'https://evil.example/path http://169.254.169.254/ mailto:x@y.example',
  '',
  ' ',
]

/** Well-formed and without NUL, as the store accepts it. */
const foreignText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...attacks) },
  { weight: 2, arbitrary: fc.string({ unit: anyCharacter, maxLength: 60 }).map((text) => text.replaceAll('\0', '')) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 300 }) },
  {
    weight: 2,
    arbitrary: fc.array(fc.constantFrom(...attacks), { minLength: 2, maxLength: 30 }).map((parts) => parts.join('\n')),
  },
)

const address = fc.oneof(
  fc.constant(null),
  anyUrl,
  fc.constantFrom('javascript:alert(1)', 'https://a.example/x\'y"z|<>)](`', 'https://u:p@a.example/', 'no address'),
  foreignText.map((text) => `https://a.example/${text}`),
)

const severity = fc.constantFrom('none', 'low', 'medium', 'high', 'critical')
const day = fc.integer({ min: 0, max: 4_000_000_000 })
const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/)
const project = fc.record({ id: fc.integer({ min: 1, max: 2_147_483_647 }), name: foreignText })
const runsIn = fc.array(
  fc.record({ cluster: foreignText, environment: foreignText, version: fc.option(foreignText) }),
  { maxLength: 5 },
)
const ofCluster = { id, at: day, cluster: foreignText, environment: foreignText }

const event = fc.oneof(
  fc.record({
    type: fc.constantFrom('release.published', 'release.promoted', 'release.security'),
    id,
    at: day,
    project,
    version: foreignText,
    releaseType: fc.constantFrom('app', 'helm', 'pre'),
    publishedAt: day,
    url: address,
    notes: fc.option(foreignText),
    isSecurityFix: fc.boolean(),
    severity: fc.option(severity),
    advisories: fc.array(foreignText, { maxLength: 8 }),
    runsIn,
  }),
  fc.record({
    type: fc.constant('report.regressed'),
    since: day,
    sinceText: foreignText,
    ...ofCluster,
    runId: fc.constant('crun_k3v7'),
    score: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
    previousScore: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
    scores: fc.option(foreignText),
    counts: fc.record({ critical: fc.nat(), high: fc.nat(), low: fc.nat() }, { requiredKeys: [] }),
    findings: fc.array(
      fc.record({
        checkId: foreignText,
        check: foreignText,
        severity,
        namespace: fc.option(foreignText),
        resource: fc.option(foreignText),
      }),
      { maxLength: 15 },
    ),
  }),
  fc.record({
    type: fc.constant('gate.failed'),
    ...ofCluster,
    runId: fc.constant('crun_k3v7'),
    reasons: fc.array(foreignText, { maxLength: 15 }),
  }),
  fc.record({
    type: fc.constant('cluster.silent'),
    ...ofCluster,
    lastReportAt: fc.option(day),
    expectedEverySeconds: fc.integer({ min: 60, max: 10_000_000 }),
    endedAt: fc.option(day),
  }),
  fc.record({ type: fc.constant('support.ends'), id, at: day, project, line: foreignText, endsAt: day, runsIn }),
  fc.record({
    type: fc.constant('exception.expires'),
    id,
    at: day,
    exceptionId: id,
    subject: foreignText,
    reason: fc.option(foreignText),
    expiresAt: day,
  }),
) as fc.Arbitrary<NotificationEvent>

export const foreignMessage: fc.Arbitrary<Message> = fc.oneof(
  event.map((one) => message([one])),
  fc.array(event, { minLength: 2, maxLength: 12 }).map((events) => message(events)),
  fc.array(event, { minLength: 1, maxLength: 12 }).map(digest),
  event.map((one) => message([one], { links: noLinks })),
)

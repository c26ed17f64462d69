import type { EventType } from '../contract/choices.ts'
import { daySeconds } from '../util/time.ts'
import type { Message, NotificationEvent, ReleaseEvent } from './message.ts'

/** An example of each type of message, for previews. */
export function sampleMessage(type: EventType, now: number): Message {
  const isDigest = type === 'digest'
  const all = sampleEvents(now)
  return {
    id: 'msg_preview',
    type,
    at: now,
    events: isDigest
      ? all.filter(({ type }) => !['test', 'target.disabled', 'fleet.report'].includes(type))
      : all.filter((event) => event.type === type),
    ...(isDigest && { digest: { period: 'daily', from: now - daySeconds, to: now, timeZone: 'UTC' } }),
    links: { page: null, settings: null, unsubscribe: null },
    attempt: 1,
  }
}

function sampleReleases(now: number): NotificationEvent[] {
  const release: Omit<ReleaseEvent, 'type' | 'id'> = {
    at: now,
    project: { id: 1, name: 'Argo CD' },
    releaseType: 'app',
    version: 'v3.2.1',
    publishedAt: now - 3600,
    url: 'https://github.com/argoproj/argo-cd/releases/tag/v3.2.1',
    notes: '<h2>Changes</h2><ul><li>Sync waves finish in order again</li><li>Faster diffs of large apps</li></ul>',
    isSecurityFix: false,
    severity: null,
    advisories: [],
    runsIn: [
      { cluster: 'prod-eu', environment: 'prod', version: 'v3.1.0' },
      { cluster: 'prod-us', environment: 'prod', version: 'v3.1.0' },
      { cluster: 'staging', environment: 'test', version: 'v3.2.0' },
    ],
  }
  const promoted = { version: 'v3.3.0', notes: null, url: 'https://github.com/argoproj/argo-cd/releases/tag/v3.3.0' }
  return [
    { ...release, type: 'release.published', id: 'evt_1' },
    { ...release, ...promoted, type: 'release.promoted', id: 'evt_2' },
    {
      ...release,
      type: 'release.security',
      id: 'evt_3',
      isSecurityFix: true,
      severity: 'critical',
      advisories: ['CVE-2026-0001'],
    },
  ]
}

function sampleClusterEvents(now: number): NotificationEvent[] {
  const cluster = { at: now, cluster: 'prod-eu', environment: 'prod' }
  return [
    {
      ...cluster,
      type: 'artifact.compromised',
      id: 'evt_11',
      runId: 'crun_k3v7',
      artifact: 'aquasec/trivy:0.69.4',
      advice:
        'Stop it now, and change every secret that it could read: attackers planted this release. Upgrade to 0.70.0 now.',
      source: 'https://github.com/aquasecurity/trivy/security/advisories/GHSA-69fq-xp46-6x23',
      places: ['security/cronjob/trivy'],
    },
    {
      ...cluster,
      type: 'report.regressed',
      id: 'evt_4',
      runId: 'crun_k3v7',
      since: now - daySeconds,
      sinceText: 'Fri 08:00',
      score: 71.5,
      previousScore: 82,
      scores: '82 \u2192 71.5',
      counts: { critical: 1, high: 2 },
      regressed: 1,
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
    {
      ...cluster,
      type: 'gate.failed',
      id: 'evt_5',
      runId: 'crun_k3v7',
      reasons: ['new: 3 new findings of severity high or worse; at most 0 are allowed'],
    },
    {
      ...cluster,
      type: 'cluster.silent',
      id: 'evt_6',
      lastReportAt: now - 2 * daySeconds,
      expectedEverySeconds: daySeconds,
      endedAt: null,
    },
  ]
}

function sampleEvents(now: number): NotificationEvent[] {
  return [
    ...sampleReleases(now),
    ...sampleClusterEvents(now),
    {
      type: 'support.ends',
      id: 'evt_7',
      at: now,
      project: { id: 2, name: 'Kubernetes' },
      line: '1.31',
      endsAt: now + 30 * daySeconds,
      runsIn: [{ cluster: 'prod-eu', environment: 'prod', version: 'v1.31.4' }],
    },
    {
      type: 'exception.expires',
      id: 'evt_8',
      at: now,
      exceptionId: 'exc_1',
      reason: 'Waiting for the vendor',
      subject: 'CVE-2025-0002 in shop/api',
      expiresAt: now + 7 * daySeconds,
    },
    {
      type: 'target.disabled',
      id: 'evt_9',
      at: now,
      channel: 'Slack',
      subscription: 'Argo CD',
      reason: 'nothing but failures for five days',
    },
    {
      type: 'fleet.report',
      id: 'evt_12',
      at: now,
      verdict: '1 of 3 clusters needs attention',
      page: null,
      lines: ['prod-eu (prod): new critical findings', 'staging (test): no report for 3 days'],
    },
    { type: 'test', id: 'evt_10', at: now },
  ]
}

import type { NotificationEvent, ReleaseEvent, RunsIn } from '../../message.ts'
import { clean, cleanUrl, excerpt } from '../../text.ts'

/** The body of an event for webhook receivers, version 1. Times are ISO 8601 in UTC. */
export function webhookEvent(event: NotificationEvent): Record<string, unknown> {
  return {
    id: event.id,
    type: event.type,
    occurred_at: time(event.at),
    ...(facts[event.type] as (event: NotificationEvent) => object)(event),
  }
}

const releaseFacts = (event: ReleaseEvent) => ({
  project: { id: event.project.id, name: clean(event.project.name) },
  version: clean(event.version, 200),
  release_type: event.releaseType,
  published_at: time(event.publishedAt),
  url: cleanUrl(event.url),
  notes_excerpt: event.notes === null ? null : excerpt(event.notes, 1000),
  has_security_fix: event.isSecurityFix,
  severity: event.severity,
  advisories: event.advisories.slice(0, 50).map((id) => clean(id, 100)),
  runs_in: event.runsIn.slice(0, 20).map(placeFor),
})

const ofCluster = ({ cluster, environment }: { cluster: string; environment: string }) => ({
  cluster: clean(cluster),
  environment: clean(environment),
})

/** Fields of the body by event type. */
const facts: { [T in NotificationEvent['type']]: (event: Extract<NotificationEvent, { type: T }>) => object } = {
  'release.published': releaseFacts,
  'release.promoted': releaseFacts,
  'release.security': releaseFacts,
  'artifact.compromised': (event) => ({
    ...ofCluster(event),
    run_id: event.runId,
    artifact: clean(event.artifact, 300),
    advice: clean(event.advice, 1000),
    source: cleanUrl(event.source),
    workloads: event.places.slice(0, 20).map((place) => clean(place, 200)),
  }),
  'report.regressed': (event) => ({
    ...ofCluster(event),
    run_id: event.runId,
    since: time(event.since),
    score: event.score,
    previous_score: event.previousScore,
    counts: event.counts,
    findings: event.findings.slice(0, 20).map(({ checkId, check, severity, namespace, resource }) => ({
      check_id: clean(checkId, 100),
      check: clean(check, 200),
      severity: clean(severity, 20),
      namespace: namespace === null ? null : clean(namespace, 100),
      resource: resource === null ? null : clean(resource, 200),
    })),
  }),
  'gate.failed': (event) => ({
    ...ofCluster(event),
    run_id: event.runId,
    reasons: event.reasons.slice(0, 20).map((reason) => clean(reason)),
  }),
  'cluster.silent': (event) => ({
    ...ofCluster(event),
    last_report_at: event.lastReportAt === null ? null : time(event.lastReportAt),
    expected_every_seconds: event.expectedEverySeconds,
    ended_at: event.endedAt === null ? null : time(event.endedAt),
  }),
  'support.ends': (event) => ({
    project: { id: event.project.id, name: clean(event.project.name) },
    line: clean(event.line, 100),
    ends_at: time(event.endsAt),
    runs_in: event.runsIn.slice(0, 20).map(placeFor),
  }),
  'exception.expires': (event) => ({
    exception_id: event.exceptionId,
    subject: clean(event.subject),
    reason: event.reason === null ? null : clean(event.reason),
    expires_at: time(event.expiresAt),
  }),
  'target.disabled': (event) => ({
    channel: clean(event.channel, 20),
    subscription: event.subscription === null ? null : clean(event.subscription),
    reason: clean(event.reason),
  }),
  'fleet.report': (event) => ({ verdict: clean(event.verdict), lines: event.lines.map((line) => clean(line)) }),
  test: () => ({}),
}

const placeFor = ({ cluster, environment, version }: RunsIn) => ({
  cluster: clean(cluster, 100),
  environment: clean(environment, 100),
  version: version === null ? null : clean(version, 100),
})

export const time = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000', '')

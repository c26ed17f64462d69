import { channels } from '../../contract/channels.ts'
import { bySeverity } from '../../contract/severity-rank.ts'
import type { Db } from '../../db/open.ts'
import type { LoggedEvent, Recipient } from '../../delivery/rules.ts'
import { runsOlder } from '../../delivery/runs-older.ts'
import { insteadOf } from '../../errors.ts'
import { offeringTitle } from '../../lifecycle/offering.ts'
import type { Message, MessageLinks, NotificationEvent, ReleaseEvent } from '../../notify/message.ts'
import { sinceText, zoneOr } from '../../reports/news-since.ts'
import { findOwnerOfAccount } from '../../store/accounts/owner.ts'
import { findProjectNames } from '../../store/catalog/project.ts'
import { getException } from '../../store/findings/exception.ts'
import type { OutboxMessage } from '../../store/notifications/delivery.ts'
import { findEvents, type StoredEvent } from '../../store/notifications/event-log.ts'
import {
  findNotifiedReleases,
  listDigestReleases,
  type NotifiedRelease,
} from '../../store/notifications/notified-release.ts'
import { getRun } from '../../store/runs/run.ts'
import type { UnixSeconds } from '../../util/time.ts'
import { fleetSummary } from '../../views/fleet.ts'
import { scoresText } from '../../views/score.ts'
import { openException } from '../findings/exception.ts'
import { withOwners } from '../fleet/owned-running.ts'
import { findRunningFor } from '../fleet/running-of-owners.ts'
import { findCompromised } from '../freshness/compromised.ts'
import { openGates } from '../runs/record-gate.ts'
import { countBySeverity, findUntoldNews } from './find-regressions.ts'
import type { NotificationStore } from './outbox.ts'
import { listRecipients } from './recipients.ts'
import { isDecidable } from './route-events.ts'

/** A message to send, or the reason to skip it. */
export type LoadedMessage = { message: Message } | { skip: string }

interface LoadOptions {
  now: UnixSeconds
  /** Links for the recipient and the subscription. */
  toLinks: (message: OutboxMessage, events: readonly NotificationEvent[]) => Promise<MessageLinks>
}

const trendDays = 30

const ofRelease: Partial<Record<OutboxMessage['kind'], ReleaseEvent['type']>> = {
  release: 'release.published',
  promotion: 'release.promoted',
  security: 'release.security',
}

/** The content of a message, from current data: texts of releases and findings are read when it is sent. */
export async function loadMessage(
  store: NotificationStore,
  outbox: OutboxMessage,
  { now, toLinks }: LoadOptions,
): Promise<LoadedMessage> {
  const [recipient] = await listRecipients(store, { userIds: [outbox.userId] })
  const { kind, digest, createdAt, publicId, attempts } = outbox
  if (!recipient) return { skip: 'the account is gone' }
  if (kind === 'fleet') return loadFleetReport(store, outbox, { recipient, now, toLinks })
  const paused = ofRelease[kind] && whyEnded(outbox, recipient)
  if (paused) return { skip: paused }
  const found = await toEvents(store, outbox, recipient, now)
  const type = found.length === 0 ? undefined : kind === 'digest' ? 'digest' : found[0]!.type
  if (type === undefined) return { skip: kind === 'digest' ? 'no new releases' : 'its subject was deleted' }
  return {
    message: {
      id: publicId,
      type,
      at: createdAt,
      events: found,
      ...(digest && {
        digest: { period: digest.period, from: digest.from, to: digest.to, timeZone: recipient.rules.time_zone },
      }),
      links: await toLinks(outbox, found),
      attempt: attempts + 1,
    },
  }
}

/** Attaches the report page if the message cannot link to it. */
async function loadFleetReport(
  store: NotificationStore,
  outbox: OutboxMessage,
  { recipient, now, toLinks }: LoadOptions & { recipient: Recipient },
): Promise<LoadedMessage> {
  if (recipient.rules.fleet_report === 'off') return { skip: 'fleet reports are off' }
  const { userId, publicId, createdAt, attempts } = outbox
  const ownerId = await findOwnerOfAccount(store.db, userId)
  // Loaded on demand, because such messages are rare.
  const [{ makeFleetReport }, { renderFleetReport }] = await Promise.all([
    import('../fleet/fleet-report.ts'),
    import('../../html/report/fleet.ts'),
  ])
  const report = ownerId && (await makeFleetReport(store.db, { ...store, ownerId, now, days: trendDays }))
  if (!report || report.fleet.total === 0) return { skip: 'no clusters' }
  const { verdict, lines } = fleetSummary(report.fleet, now)
  const event = { type: 'fleet.report', id: publicId, at: createdAt, verdict, lines, page: null } as const
  const links = await toLinks(outbox, [event])
  const page = links.page === null ? renderFleetReport(report) : null
  const base = { id: publicId, type: event.type, at: createdAt, links, attempt: attempts + 1 }
  return { message: { ...base, events: [{ ...event, page }] } }
}

/** A subscription can end, be paused, or lose its mails while its message waits. */
function whyEnded({ subscriptionId, channel }: OutboxMessage, { subscriptions }: Recipient): string | undefined {
  const subscription = [...subscriptions.values()].find(({ id }) => id === subscriptionId)
  if (!subscription) return 'the subscription has ended'
  if (channel === 'email' && !subscription.email_enabled) return 'mails of the subscription are off'
  return subscription.notifications_paused ? 'the subscription is paused' : undefined
}

async function toEvents(
  store: NotificationStore,
  outbox: OutboxMessage,
  recipient: Recipient,
  now: UnixSeconds,
): Promise<NotificationEvent[]> {
  const { kind, publicId, createdAt, digest, eventIds, userId } = outbox
  if (kind === 'test') return [{ type: 'test', id: publicId, at: createdAt }]
  const { db } = store
  if (digest?.byRelease) {
    const window = { userId, frequency: digest.period, from: digest.from, to: digest.to }
    return (await listDigestReleases(db, window)).map(releaseOfDigest)
  }
  const stored = await findEvents(db, eventIds ?? [])
  if (kind === 'target') return describeDisabled(db, stored, recipient)
  return describeEvents(store, stored.filter(isDecidable), { recipient, now, withOwners: kind === 'digest' })
}

const releaseOfDigest = (release: NotifiedRelease): ReleaseEvent => ({
  type: 'release.published',
  id: `rel_${release.id}`,
  at: release.publishedAt,
  ...factsFor(release),
  runsIn: [],
})

/** The log contains a channel and a subscription, but no address. */
async function describeDisabled(
  db: Db,
  events: StoredEvent[],
  { subscriptions }: Recipient,
): Promise<NotificationEvent[]> {
  const projects = [...subscriptions.values()]
  const names = await findProjectNames(
    db,
    projects.map(({ projectId }) => projectId),
  )
  return events.map(({ id, at, data }) => {
    const project = projects.find((one) => one.id === data.subscriptionId)?.projectId
    return {
      type: 'target.disabled',
      id: `evt_${id}`,
      at,
      channel: channels.find(({ name }) => name === data.channel)?.title ?? '',
      subscription: (project !== undefined && names.get(project)?.name) || null,
      reason: data.reasons?.[0] ?? '',
    }
  })
}

interface Describing {
  recipient: Recipient
  now: UnixSeconds
  /** Whether to add owners of workloads, as in digests. */
  withOwners?: boolean
}

/** Describes events for a recipient: with release notes, and the recipient's affected clusters. */
async function describeEvents(
  store: NotificationStore,
  events: LoggedEvent[],
  { recipient, now, withOwners: hasOwners = false }: Describing,
) {
  const { db } = store
  const aboutProjects = events.filter(({ projectId }) => projectId !== null)
  const releases = aboutProjects.filter(({ type }) => type.startsWith('release.'))
  const keys = releases.map(({ projectId, data }) => ({
    projectId: projectId!,
    version: data.version!,
    type: data.releaseType ?? null,
  }))
  // Notes of a thousand releases are megabytes, and a digest shows none of them.
  const known = await findNotifiedReleases(db, keys, { withNotes: releases.length <= 50 })
  const byKey = new Map(known.map((one) => [toKey(one.projectId, one.version, one.type), one]))
  const projectIds = new Set(aboutProjects.map(({ projectId }) => projectId!))
  const names = await findProjectNames(db, [...projectIds])
  const found = await findRunningFor(store, { ownerIds: recipient.ownerIds, projectIds }, now)
  const running = hasOwners ? await withOwners(found, { ...store, now }) : found
  const described: NotificationEvent[] = []
  for (const event of events) {
    const { projectId, data } = event
    if (projectId === null) {
      const other = await describeOfOwner(store, event, now)
      if (other) described.push(other)
      continue
    }
    const project = names.get(projectId) ?? { id: projectId, name: '' }
    const release = byKey.get(toKey(projectId, data.version!, data.releaseType!))
    const runsIn = runsOlder(event, recipient, running)
    const one = describeOfProject(event, { project, release, runsIn })
    if (one) described.push(one)
  }
  return described
}

interface OfProject extends Pick<ReleaseEvent, 'project' | 'runsIn'> {
  /** The release in the catalog. */
  release: NotifiedRelease | undefined
}

/** Undefined for a faulty release. */
function describeOfProject(event: LoggedEvent, { project, release, runsIn }: OfProject): NotificationEvent | undefined {
  const { id, at, data, type } = event
  const base = { id: `evt_${id}`, at }
  if (type === 'support.ends') {
    const of = data.offering === undefined ? project : offered(project, data.offering)
    return { type, ...base, project: of, line: data.line!, endsAt: data.endsAt!, runsIn }
  }
  if (release?.isFaulty) return undefined
  const facts = release ? factsFor(release) : factsOfEvent(event)
  return { type: type as ReleaseEvent['type'], ...base, ...facts, project, runsIn }
}

/** `Kubernetes (EKS)` */
const offered = <T extends { name: string }>(project: T, offering: string): T => ({
  ...project,
  name: `${project.name} (${offeringTitle(offering)})`,
})

const toKey = (projectId: number, version: string, type: string) => `${projectId} ${type} ${version}`

function factsFor(release: NotifiedRelease) {
  const { projectId, projectName, version, type, publishedAt, url, notes, isSecurityFix, severity } = release
  return {
    project: { id: projectId, name: projectName },
    version,
    releaseType: type,
    publishedAt,
    url: url || null,
    notes: notes || null,
    isSecurityFix,
    severity: isSecurityFix && severity !== 'none' ? severity : null,
    advisories: release.advisories,
  }
}

/** Facts stored with the event, for a release that is no longer in the catalog. */
const factsOfEvent = ({ data, at }: LoggedEvent) => ({
  version: data.version!,
  releaseType: data.releaseType!,
  publishedAt: data.publishedAt ?? at,
  url: null,
  notes: null,
  isSecurityFix: data.isSecurityFix ?? false,
  severity: data.severity ?? null,
  advisories: [],
})

/** Undefined if the subject of the event was deleted. */
async function describeOfOwner(
  store: NotificationStore,
  { id, at, type, data, cluster, ownerId }: LoggedEvent,
  now: UnixSeconds,
): Promise<NotificationEvent | undefined> {
  const base = { id: `evt_${id}`, at }
  if (type === 'exception.expires') return describeException(store, base, { ownerId: ownerId!, data }, now)
  if (!cluster) return undefined
  const place = { cluster: cluster.name, environment: cluster.environment }
  if (type === 'cluster.silent') {
    const { lastReportAt = null, expectedEvery = 0, endedAt = null } = data
    return { type, ...base, ...place, lastReportAt, expectedEverySeconds: expectedEvery, endedAt }
  }
  if (type === 'artifact.compromised') {
    const found = await ifFound(async () => {
      const run = await getRun(store.db, ownerId!, data.runId!)
      return findCompromised(store.db, run, { vault: store.vault, now, hash: data.artifact! })
    })
    return found && { type, ...base, ...place, runId: data.runId!, ...found }
  }
  if (type === 'gate.failed') {
    const reasons = await reasonsFor(store, { ownerId: ownerId!, runId: data.runId! })
    return { type, ...base, ...place, runId: data.runId!, reasons }
  }
  return type === 'report.regressed'
    ? { type, ...base, ...place, ...(await describeRegression(store, { ownerId: ownerId!, data }, now)) }
    : undefined
}

async function describeRegression(store: NotificationStore, { ownerId, data }: OwnedFacts, now: UnixSeconds) {
  const runId = data.runId!
  const since = data.since!
  // Names of resources are sealed in the runs, so the event log has none. Undefined if the run was deleted.
  const news = await ifFound(async () =>
    findUntoldNews(store, await getRun(store.db, ownerId, runId), { ownerId, since, now }),
  )
  const { findings = [], accepted = 0, comparison } = news ?? {}
  return {
    runId,
    since,
    sinceText: sinceText(since, zoneOr(store.timeZone), now),
    score: comparison?.to.score ?? null,
    previousScore: comparison?.from.score ?? null,
    scores: comparison?.to.score == null ? null : scoresText(comparison.to, comparison),
    counts: news ? countBySeverity(findings) : (data.counts ?? {}),
    regressed: news ? findings.filter(({ isRegressed }) => isRegressed).length : null,
    accepted,
    findings: findings.sort(bySeverity).map(({ check_id, check_name, severity, namespace, resource }) => ({
      checkId: check_id,
      check: check_name,
      severity,
      namespace,
      resource,
    })),
  }
}

interface OwnedFacts extends Pick<LoggedEvent, 'data'> {
  ownerId: number
}

/** The failed rules of the gate. Empty if the run was deleted. */
async function reasonsFor({ db, vault }: NotificationStore, { ownerId, runId }: { ownerId: number; runId: string }) {
  const run = await ifFound(() => getRun(db, ownerId, runId))
  const verdicts = run ? await openGates(db, await vault(), run) : []
  return verdicts.flatMap(({ rules }) =>
    rules.flatMap(({ rule, verdict, reason }) => (verdict === 'failed' ? [`${rule}: ${reason}`] : [])),
  )
}

const ifFound = <T>(find: () => Promise<T>) => find().catch(insteadOf('not_found', undefined))

async function describeException(
  { db, vault }: NotificationStore,
  base: { id: string; at: UnixSeconds },
  { ownerId, data }: OwnedFacts,
  now: UnixSeconds,
): Promise<NotificationEvent | undefined> {
  const row = await ifFound(() => getException(db, ownerId, data.exceptionId!))
  if (!row) return undefined
  const { reason, advisory, artifact, check, resource, fingerprint, finding } = openException(await vault(), row, now)
  const parts = finding ? [finding.check_id, finding.resource, finding.message] : [advisory, artifact, check, resource]
  const subject = parts.filter((part) => part !== null).join(', ')
  return {
    type: 'exception.expires',
    ...base,
    exceptionId: row.exception_id,
    subject: subject || `finding ${fingerprint ?? ''}`.trim(),
    reason,
    expiresAt: row.ends_at,
  }
}

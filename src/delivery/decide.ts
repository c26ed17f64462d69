import { type ChannelName, channels } from '../contract/channels.ts'
import { isAsSevere, severityRank } from '../contract/severity-rank.ts'
import type { Severity } from '../contract/shape.ts'
import type { RunsIn } from '../notify/message.ts'
import { daySeconds, type UnixSeconds } from '../util/time.ts'
import type { DigestPeriod } from './digest-times.ts'
import { endOfQuiet, parseQuietHours } from './quiet-hours.ts'
import type {
  AccountRules,
  InstalledVersions,
  LoggedEvent,
  PlannedMessage,
  Recipient,
  SubscriptionRules,
} from './rules.ts'
import { runsOlder } from './runs-older.ts'

/** Older releases cause no notifications: a source that is read for the first time has many. */
const newsSeconds = 14 * daySeconds

/**
 * The messages that events cause for one recipient, without digests. Mails about one project with the same due time are
 * merged.
 */
export function decideMessages(
  events: readonly LoggedEvent[],
  recipient: Recipient,
  running: InstalledVersions,
): PlannedMessage[] {
  const messages: PlannedMessage[] = []
  const mails = new Map<string, PlannedMessage>()
  for (const event of events) {
    const about = isOfRelease(event) ? aboutRelease : aboutCluster
    for (const planned of about(event, recipient, running)) {
      if (planned.channel === 'email' && planned.subscriptionId !== null) {
        const key = `${planned.projectId} ${planned.notBefore}`
        const mail = mails.get(key)
        if (mail) {
          mail.eventIds.push(event.id)
          continue
        }
        mails.set(key, planned)
      }
      messages.push(planned)
    }
  }
  return messages
}

const isOfRelease = ({ type }: LoggedEvent) => type.startsWith('release.')

/** A message about one event to the address of the account. */
const toMessage = (event: LoggedEvent, { userId, rules }: Recipient, channel: ChannelName): PlannedMessage => ({
  userId,
  channel,
  toAddress: null,
  subscriptionId: null,
  projectId: event.projectId,
  type: event.type,
  eventIds: [event.id],
  at: event.at,
  notBefore: dueAt(event, rules),
})

function aboutRelease(event: LoggedEvent, recipient: Recipient, running: InstalledVersions): PlannedMessage[] {
  const subscription = recipient.subscriptions.get(event.projectId!)
  if (!subscription || !isWanted(event, subscription, recipient, running)) return []
  return channels.flatMap((channel): PlannedMessage[] => {
    const toAddress = channel.isSecret
      ? placeOfWebhook(event, channel.name, subscription, recipient)
      : recipient.hasEmail && isMailedAlone(event, subscription)
        ? null
        : undefined
    if (toAddress === undefined) return []
    return [{ ...toMessage(event, recipient, channel.name), subscriptionId: subscription.id, toAddress }]
  })
}

const isMailedAlone = ({ data }: LoggedEvent, subscription: SubscriptionRules) =>
  subscription.email_enabled &&
  subscription.email_frequency === 'per_app' &&
  has(subscription.release_types_filter, data.releaseType)

/** The subscription's own webhook overrides that of the account, which also requires that the account wants the type. */
function placeOfWebhook(
  { data }: LoggedEvent,
  channel: Exclude<ChannelName, 'email'>,
  subscription: SubscriptionRules,
  { webhooks, rules }: Recipient,
) {
  if (!has(subscription.webhook_release_types, data.releaseType)) return undefined
  if (subscription.webhooks.has(channel)) return subscription.id
  const isCommon = subscription.use_global_webhooks && webhooks.has(channel)
  return isCommon && has(rules.webhook_release_types, data.releaseType) ? null : undefined
}

/** The rules for every channel. */
function isWanted(
  event: LoggedEvent,
  subscription: SubscriptionRules,
  recipient: Recipient,
  running: InstalledVersions,
) {
  const { min_severity: least, only_what_runs: onlyWhatRuns } = recipient.rules
  if (subscription.notifications_paused || event.at < subscription.since) return false
  const { type, at, data } = event
  if (type === 'release.published' && (data.publishedAt ?? at) < Math.max(subscription.since, at - newsSeconds))
    return false
  if (least !== 'none' && !(data.isSecurityFix && isAtLeast(data.severity, least))) return false
  return !onlyWhatRuns || runsOlder(event, recipient, running).length > 0
}

function aboutCluster(event: LoggedEvent, recipient: Recipient, running: InstalledVersions): PlannedMessage[] {
  const { rules, hasEmail, webhooks } = recipient
  if (!has(rules.cluster_events, event.type)) return []
  if (event.type === 'support.ends') {
    const inScope = (running.get(event.projectId!) ?? []).filter((one) =>
      isInScope(rules, { ...one, name: one.cluster }),
    )
    if (runsOlder(event, recipient, new Map([[event.projectId!, inScope]])).length === 0) return []
  } else {
    if (event.ownerId === null || !recipient.ownerIds.has(event.ownerId)) return []
    if (event.cluster && !isInScope(rules, event.cluster)) return []
    const isTooMild = event.type === 'report.regressed' && !isAtLeast(event.data.severity, rules.min_severity)
    if (isTooMild) return []
  }
  return channels
    .filter((channel) => (channel.isSecret ? webhooks.has(channel.name) : hasEmail && rules.cluster_mails))
    .map(({ name }) => toMessage(event, recipient, name))
}

/** Matches `name`, `name/environment` or `label:text`. */
export function isInScope(
  { cluster_scope: scope }: Pick<AccountRules, 'cluster_scope'>,
  { name, environment, labels }: { name: string; environment: string; labels: readonly string[] },
) {
  const places = toList(scope)
  if (places.length === 0) return true
  const names = new Set([name, `${name}/${environment}`, ...labels.map((label) => `label:${label}`)])
  return places.some((place) => names.has(place))
}

/** Quiet hours delay messages, except about compromised artifacts and sufficiently severe security fixes. */
function dueAt({ type, at, data }: LoggedEvent, rules: AccountRules) {
  if (type === 'artifact.compromised') return at
  const { quiet_hours_except: least } = rules
  if (least !== 'none' && data.isSecurityFix && isAtLeast(data.severity, least)) return at
  return afterQuiet(rules, at)
}

/** When a message that is ready at a time may be sent. */
export function afterQuiet(
  { quiet_hours, time_zone }: Pick<AccountRules, 'quiet_hours' | 'time_zone'>,
  at: UnixSeconds,
) {
  const hours = parseQuietHours(quiet_hours)
  return hours ? endOfQuiet(hours, time_zone, at) : at
}

/** The mail with the report on all clusters. */
export const decideFleetReport = (recipient: Recipient, at: UnixSeconds): PlannedMessage =>
  toMail(recipient, at, { type: 'fleet.report', eventIds: [] })

const toMail = (
  { userId, rules }: Recipient,
  at: UnixSeconds,
  about: Pick<PlannedMessage, 'type' | 'eventIds' | 'digest'>,
): PlannedMessage => ({
  userId,
  channel: 'email',
  toAddress: null,
  subscriptionId: null,
  projectId: null,
  ...about,
  at,
  notBefore: afterQuiet(rules, at),
})

/** A digest of the events since the last one; undefined if the recipient does not get this digest. */
export function decideDigest(
  events: readonly LoggedEvent[],
  recipient: Recipient,
  running: InstalledVersions,
  { period, from, to }: { period: DigestPeriod; from: UnixSeconds; to: UnixSeconds },
): PlannedMessage | undefined {
  if (!recipient.hasEmail) return undefined
  const isGathered = ({ email_enabled, email_frequency }: SubscriptionRules) =>
    email_enabled && email_frequency === period
  if (![...recipient.subscriptions.values()].some(isGathered)) return undefined
  const wanted = events.filter((event) => {
    const subscription = isOfRelease(event) ? recipient.subscriptions.get(event.projectId!) : undefined
    if (!subscription || !isGathered(subscription)) return false
    return (
      has(subscription.release_types_filter, event.data.releaseType) &&
      isWanted(event, subscription, recipient, running) &&
      isOfOwners(runsOlder(event, recipient, running), recipient.rules)
    )
  })
  const eventIds = sortForDigest(wanted, recipient, running).map(({ id }) => id)
  return toMail(recipient, to, { type: 'digest', eventIds, digest: { period, from, to } })
}

/** Digests include projects that are not running, and those without an owner. */
function isOfOwners(places: readonly RunsIn[], { owner_scope: scope }: AccountRules) {
  const wanted = new Set(toList(scope))
  return (
    wanted.size === 0 ||
    places.length === 0 ||
    places.some(({ owners = [] }) => owners.length === 0 || owners.some((owner) => wanted.has(owner)))
  )
}

/** Sorts fixes of running projects first, then other fixes, other releases of running projects, and the rest; then by severity and age. */
function sortForDigest(events: LoggedEvent[], recipient: Recipient, running: InstalledVersions) {
  const rank = ({ data: { isSecurityFix, severity } }: LoggedEvent, runs: boolean) =>
    (isSecurityFix ? 200 + (runs ? 100 : 0) + (severity ? 6 - severityRank(severity) : 7) : 0) + (runs ? 50 : 0)
  return events
    .map((event) => ({ event, rank: rank(event, runsOlder(event, recipient, running).length > 0) }))
    .sort((a, b) => b.rank - a.rank || b.event.at - a.event.at || a.event.id - b.event.id)
    .map(({ event }) => event)
}

/** An unknown severity may be any. */
const isAtLeast = (severity: Severity | null | undefined, least: Severity) => !severity || isAsSevere(severity, least)

export const toList = (text: string) => text.split(',').flatMap((part) => part.trim() || [])
const has = (list: string, wanted: string | undefined) => wanted !== undefined && toList(list).includes(wanted)

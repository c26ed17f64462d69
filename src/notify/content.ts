import { findingSeverities } from '../contract/choices.ts'
import { daySeconds } from '../util/time.ts'
import { count, listed, nounFor } from '../util/words.ts'
import type {
  ClusterSilentEvent,
  CompromisedEvent,
  ExceptionExpiresEvent,
  FleetReportEvent,
  GateFailedEvent,
  Message,
  NotificationEvent,
  NotifiedSeverity,
  RegressedEvent,
  ReleaseEvent,
  RunsIn,
  SupportEndsEvent,
  TargetDisabledEvent,
} from './message.ts'
import { clean, cleanUrl, day, excerpt, minute } from './text.ts'

/** The content of a message, the same for all channels. Every text is one plain line that formats must escape. */
export interface Content {
  title: string
  tone: MessageTone
  /** Most urgent first. */
  items: ContentItem[]
  /** Absolute URL; null without a public address. */
  link: string | null
  /** Command that shows all items in a terminal. */
  command: string
}

type MessageTone = 'danger' | 'warning' | 'good' | 'neutral'

export interface ContentItem {
  title: string
  url: string | null
  tone: MessageTone
  facts: { name: string; value: string }[]
  lines: string[]
  /** Excerpt of release notes; empty in digests. */
  excerpt: string | null
  /** Command that shows this item in a terminal. */
  command: string
}

const maxTitle = 140

export function toContent(message: Message): Content {
  const { events, digest, links } = message
  const isSingle = events.length === 1 && digest === undefined
  const sorted = isSingle ? events : events.toSorted(byUrgency)
  const items = sorted.map((event) => toItem(event, { isSingle, timeZone: digest?.timeZone }))
  return {
    title: clean(formatTitle(message, items), maxTitle),
    tone: items[0]?.tone ?? 'neutral',
    items,
    link: cleanUrl(links.page),
    command: isSingle ? items[0]!.command : digest ? `relt feed --days ${digestDays(message)}` : commandOfAll(sorted),
  }
}

function formatTitle({ events, digest }: Message, items: ContentItem[]) {
  if (digest) {
    const fixes = events.filter(isSecurity).length
    const counts = [
      count(events.length, 'event'),
      ...(fixes > 0 ? [count(fixes, 'security fix', 'security fixes')] : []),
    ]
    return `${digest.period === 'daily' ? 'Daily' : 'Weekly'} digest: ${counts.join(', ')}`
  }
  const [first] = events
  if (!first || events.length === 1) return items[0]?.title ?? 'Notification from relt'
  const projects = new Set(events.map((event) => ('project' in event ? event.project.name : undefined)))
  const [project] = projects
  const isOneProject = projects.size === 1 && project !== undefined
  const fixes = events.filter(isSecurity).length
  const what = isOneProject ? `${clean(project, 80)}: ${count(events.length, 'event')}` : count(events.length, 'event')
  return fixes > 0 ? `${what}, ${count(fixes, 'security fix', 'security fixes')}` : what
}

interface ItemOptions {
  isSingle: boolean
  timeZone: string | undefined
}

/** An item, as far as it differs from one without a URL, facts, lines and notes. */
type ItemParts = Pick<ContentItem, 'title' | 'tone' | 'command'> & Partial<ContentItem>

const items: {
  [T in NotificationEvent['type']]: (event: Extract<NotificationEvent, { type: T }>, options: ItemOptions) => ItemParts
} = {
  'release.published': releaseItem,
  'release.promoted': releaseItem,
  'release.security': releaseItem,
  'artifact.compromised': compromisedItem,
  'report.regressed': regressedItem,
  'gate.failed': gateItem,
  'cluster.silent': silentItem,
  'support.ends': supportItem,
  'exception.expires': exceptionItem,
  'target.disabled': disabledItem,
  'fleet.report': fleetItem,
  test: () => ({
    title: 'Test notification from relt',
    tone: 'good',
    lines: ['This channel works. You receive notifications here.'],
    command: 'relt subs list',
  }),
}

function toItem(event: NotificationEvent, options: ItemOptions): ContentItem {
  const item = (items[event.type] as (event: NotificationEvent, options: ItemOptions) => ItemParts)(event, options)
  return { url: null, facts: [], lines: [], excerpt: null, ...item, title: clean(item.title, maxTitle) }
}

function releaseItem(event: ReleaseEvent, { isSingle, timeZone }: ItemOptions): ItemParts {
  const { severity, advisories, runsIn, notes } = event
  const ids = advisories.map((id) => clean(id, 40))
  return {
    title: releaseTitle(event),
    url: cleanUrl(event.url),
    tone: isSecurity(event) ? (severity === 'high' || severity === 'critical' ? 'danger' : 'warning') : 'neutral',
    facts: [
      ...(severity !== null && severity !== 'none' ? [{ name: 'Severity', value: severity }] : []),
      ...(ids.length > 0 ? [{ name: 'Fixes', value: listed(ids, 5) }] : []),
      ...runsInFact(runsIn),
      ...ownerFact(runsIn),
      { name: 'Published', value: day(event.publishedAt, timeZone) },
    ],
    excerpt: isSingle && notes !== null ? excerpt(notes, 600) || null : null,
    command: releaseCommand(event),
  }
}

function releaseTitle({ type, project, version, releaseType, isSecurityFix, severity }: ReleaseEvent) {
  const chart = releaseType === 'helm' ? ' chart' : ''
  const name = `${clean(project.name, 70)}${chart} ${clean(version, 40)}`
  const worst = severity !== null && severity !== 'none' ? ` (${severity})` : ''
  if (type === 'release.security') return `${name} is a security fix${worst}`
  if (isSecurityFix) return `Security fix${worst}: ${name}`
  if (type === 'release.promoted') return `${name} is now a stable release`
  return releaseType === 'pre' ? `Pre-release: ${name}` : `New release: ${name}`
}

function runsInFact(runsIn: RunsIn[]) {
  if (runsIn.length === 0) return []
  const places = runsIn.map(
    ({ cluster, version }) => clean(cluster, 60) + (version === null ? '' : ` (${clean(version, 40)})`),
  )
  return [{ name: 'Runs in', value: listed(places, 2) }]
}

/** Owners of the affected workloads, in digests. */
function ownerFact(runsIn: RunsIn[]) {
  const known = runsIn.flatMap(({ owners }) => (owners ? [owners] : []))
  if (known.length === 0) return []
  const names = [...new Set(known.flat())].sort().map((owner) => clean(owner, 60))
  const all = known.some((owners) => owners.length === 0) ? [...names, 'nobody'] : names
  return [{ name: all.length > 1 ? 'Owners' : 'Owner', value: listed(all, 5) }]
}

function compromisedItem(event: CompromisedEvent): ItemParts {
  const { artifact, advice, source, places, runId } = event
  const where = places.map((each) => clean(each, 100))
  return {
    title: `Compromised: ${place(event)} runs ${clean(artifact, 90)}`,
    url: cleanUrl(source),
    tone: 'danger',
    facts: where.length === 0 ? [] : [{ name: 'Runs as', value: listed(where, 3) }],
    lines: [clean(advice, 600)],
    command: `relt reports freshness ${safeId(runId)}`,
  }
}

function regressedItem(event: RegressedEvent, { isSingle }: ItemOptions): ItemParts {
  const { runId, score, previousScore, scores, counts, regressed, accepted, findings } = event
  const counted = findingSeverities.filter((severity) => (counts[severity] ?? 0) > 0)
  const total = counted.reduce((sum, severity) => sum + counts[severity]!, 0)
  const change = score !== null && previousScore !== null && score < previousScore
  const added = total - (regressed ?? 0)
  const what = [
    ...(added > 0 || !regressed ? [`${added} new`] : []),
    ...(regressed ? [`${regressed} regressed`] : []),
  ].join(' and ')
  const countText = `${counted.map((each) => `${counts[each]} ${each}`).join(', ')}${accepted > 0 ? ` + ${accepted} accepted` : ''}`
  return {
    title: `${place(event)}: ${what} ${nounFor(total, 'finding')}`,
    tone: (counts.critical ?? 0) + (counts.high ?? 0) > 0 ? 'danger' : 'warning',
    facts: [
      ...(counted.length > 0 ? [{ name: regressed ? 'Findings' : 'New findings', value: countText }] : []),
      { name: 'New since', value: clean(event.sinceText, 40) },
      ...(change && scores !== null ? [{ name: 'Score', value: clean(scores, 100) }] : []),
    ],
    lines: findings.slice(0, isSingle ? 10 : 3).map(({ severity, check, namespace, resource }) => {
      const subject = [namespace, resource].flatMap((part) => (part ? [clean(part, 80)] : [])).join('/')
      return `${clean(severity, 20)}: ${clean(check, 120)}${subject === '' ? '' : ` \u2013 ${subject}`}`
    }),
    command: `relt reports compare --to ${safeId(runId)}`,
  }
}

function gateItem(event: GateFailedEvent): ItemParts {
  return {
    title: `Gate failed for ${place(event)}`,
    tone: 'danger',
    lines: event.reasons.slice(0, 10).map((reason) => clean(reason, 200)),
    command: `relt reports show ${safeId(event.runId)}`,
  }
}

function fleetItem({ verdict, lines, page }: FleetReportEvent): ItemParts {
  return {
    title: `Fleet report: ${verdict}`,
    tone: 'neutral',
    facts: page === null ? [] : [{ name: 'Attached', value: 'the report as a web page' }],
    lines: lines.map((line) => clean(line, 200)),
    command: 'relt reports html --all',
  }
}

function silentItem(event: ClusterSilentEvent): ItemParts {
  const { lastReportAt, endedAt, expectedEverySeconds } = event
  const since = lastReportAt === null ? [] : [{ name: 'Last report', value: minute(lastReportAt) }]
  return {
    title: endedAt === null ? `No report from ${place(event)}` : `${place(event)} reports again`,
    tone: endedAt === null ? 'warning' : 'good',
    facts: [
      ...since,
      { name: 'Expected every', value: duration(expectedEverySeconds) },
      ...(endedAt === null ? [] : [{ name: 'Reports again since', value: minute(endedAt) }]),
    ],
    command: 'relt status',
  }
}

function supportItem({ project, line, endsAt, runsIn, at }: SupportEndsEvent, { timeZone }: ItemOptions): ItemParts {
  const name = `${clean(project.name, 70)} ${clean(line, 40)}`
  const ends = endsAt <= at ? 'ended' : 'ends'
  return {
    title: `Support of ${name} ${ends} on ${day(endsAt, timeZone)}`,
    tone: endsAt <= at ? 'danger' : 'warning',
    facts: runsInFact(runsIn),
    command: `relt projects show ${formatWord(project)}`,
  }
}

function exceptionItem(event: ExceptionExpiresEvent, { timeZone }: ItemOptions): ItemParts {
  const { exceptionId, subject, reason, expiresAt } = event
  return {
    title: `Exception for ${clean(subject, 90)} expires on ${day(expiresAt, timeZone)}`,
    tone: 'warning',
    facts: reason === null || reason === '' ? [] : [{ name: 'Reason', value: clean(reason, 200) }],
    command: `relt exceptions show ${safeId(exceptionId)}`,
  }
}

function disabledItem({ channel, subscription, reason }: TargetDisabledEvent): ItemParts {
  const of = subscription === null ? '' : ` of ${clean(subscription, 70)}`
  return {
    title: `Notifications by ${clean(channel, 20)}${of} are switched off`,
    tone: 'danger',
    facts: [{ name: 'Reason', value: clean(reason, 200) }],
    lines: ['Set the address again, or send a test, to switch them on.'],
    command: 'relt notify deliveries',
  }
}

/** Compromised artifacts first, then security fixes by severity, then releases of running projects, then the newest. */
function byUrgency(one: NotificationEvent, other: NotificationEvent) {
  return urgency(other) - urgency(one) || runs(other) - runs(one) || other.at - one.at
}

const ranks: Record<NotifiedSeverity, number> = { none: 1, low: 2, medium: 3, high: 4, critical: 5 }

function urgency(event: NotificationEvent) {
  if (event.type === 'artifact.compromised') return 20
  if (isSecurity(event)) return 10 + (ranks[(event as ReleaseEvent).severity ?? 'none'] ?? 0)
  return event.type.startsWith('release.') ? 0 : 5
}

const runs = (event: NotificationEvent) => ('runsIn' in event && event.runsIn.length > 0 ? 1 : 0)

function isSecurity(event: NotificationEvent) {
  return event.type === 'release.security' || ('isSecurityFix' in event && event.isSecurityFix)
}

const place = ({ cluster, environment }: { cluster: string; environment: string }) =>
  `${clean(cluster, 70)} (${clean(environment, 30)})`

function duration(seconds: number) {
  const hours = seconds / 3600
  if (hours >= 48) return count(Math.round(hours / 24), 'day')
  return hours >= 1 ? count(Math.round(hours), 'hour') : count(Math.max(1, Math.round(seconds / 60)), 'minute')
}

/** An argument of a shell command. */
const formatWord = ({ id, slug }: ReleaseEvent['project']) =>
  slug !== undefined && /^[a-z0-9][a-z0-9._-]*$/.test(slug) ? slug : String(id)

function releaseCommand({ project, version, releaseType }: ReleaseEvent) {
  const isPlain = /^\w[\w.+-]{0,60}$/.test(version)
  const type = releaseType === 'app' ? '' : ` --type ${releaseType}`
  return `relt projects releases ${formatWord(project)}${isPlain ? ` ${version}` : ''}${type}`
}

/** Sanitizes an id for a command that users paste into a shell. */
const safeId = (id: string) => id.replace(/[^\w-]|^-+/g, '').slice(0, 80)

function commandOfAll(events: NotificationEvent[]) {
  const [first] = events
  return first && 'project' in first ? `relt projects releases ${formatWord(first.project)}` : 'relt status'
}

function digestDays({ digest }: Message) {
  if (!digest) return 7
  return Math.min(365, Math.max(1, Math.ceil((digest.to - digest.from) / daySeconds)))
}

import type { FindingListItem } from '../contract/finding.ts'
import type { Finding, FindingAcceptance, FindingSeverity } from '../contract/scan-finding.ts'
import { number, signed } from '../util/words.ts'
import { joined, named, plainText, type Said, safe, say, type Tone } from './said.ts'
import { severityText } from './severity.ts'
import { titles } from './titles.ts'
import { columnsOf } from './view.ts'

interface State {
  message: string | null
  value: string | null
}

interface Share {
  count?: number | undefined
  /** Number of all pods, runs or nodes of the workload. */
  of?: number | undefined
}

/** A finding in any answer, each of which has some of the fields. Null if a server does not return it. */
export interface ShownFinding extends State {
  fingerprint: string | null
  /** The scanner gives no severity. */
  is_unrated?: boolean | undefined
  check_id: string | null
  check_name?: string | null
  severity: FindingSeverity | null
  previous_severity?: FindingSeverity | null | undefined
  namespace: string | null
  resource: string | null
  count?: number | undefined
  count_delta?: number | undefined
  /** Earlier state of the same finding, if it changed. */
  from?: (State & Share) | undefined
  to?: Share | undefined
  /** Why and until when it is suppressed. */
  reason?: string | null
  until?: string | null
  suppressed_until?: string | null
  change?: string
  /** Distinguishes it from a finding with the same texts. */
  apart?: string
  state?: FindingListItem['state']
  not_looked_at_since?: string | undefined
  is_at_rest?: true | undefined
  is_guessed?: true | undefined
  cluster_name?: string
  environment?: string
  run_id?: string
  owners?: string[] | undefined
  accepted?: FindingAcceptance | undefined
  first_seen_at?: string | null
  seen_at?: string | null
}

export const findingColumns = columnsOf<ShownFinding>()({
  id: {
    text: ({ fingerprint }) => fingerprint?.slice(0, shortFingerprint) ?? null,
    data: ({ fingerprint }) => fingerprint,
    reveals: 'fingerprint',
  },
  change: { text: ({ change }) => change ?? null, reveals: 'safe' },
  severity: {
    text: ({ severity, previous_severity: before, state }) => {
      if (state === 'not-run') return null
      return before ? `${severityText(before)} → ${severityText(severity)}` : severityText(severity)
    },
    data: ({ severity }) => severity,
    tone: ({ severity }) => severity ?? 'unknown',
    reveals: 'safe',
  },
  previous_severity: {
    title: 'Previous severity',
    text: ({ previous_severity }) => previous_severity ?? null,
    reveals: 'safe',
  },
  check: { text: ({ check_id }) => check_id, reveals: 'check', min: 8, from: 60 },
  check_name: { title: titles.name, text: ({ check_name }) => check_name ?? null, reveals: 'check' },
  namespace: { text: ({ namespace }) => namespace, reveals: 'namespace' },
  resource: { text: ({ resource }) => resource, reveals: 'resource', min: 16 },
  /** Namespace and resource combined, for narrow tables. */
  place: {
    title: titles.resource,
    text: ({ namespace, resource }) => [namespace, resource].filter(Boolean).join(' ') || 'cluster',
    said: placeSaid,
    reveals: 'resource',
    min: 16,
  },
  message: {
    text: messageText,
    data: ({ message, apart }) => (apart === undefined ? message : `${message}: ${apart}`),
    link: ({ fingerprint }) => (fingerprint ? { page: 'finding', fingerprint } : undefined),
    reveals: 'text',
    min: 14,
  },
  state: {
    text: ({ state, is_at_rest, is_guessed, not_looked_at_since: since }) =>
      state === undefined
        ? null
        : since === undefined
          ? state
          : `${state}, ${is_at_rest ? 'no pods since' : 'as of'} ${since.slice(0, 10)}${is_guessed ? ', guessed' : ''}`,
    data: ({ state }) => state ?? null,
    tone: ({ state }) => (state === undefined ? undefined : stateTones[state]),
    reveals: 'safe',
    from: 50,
  },
  cluster: {
    text: ({ cluster_name, environment }) =>
      cluster_name === undefined ? null : clusterText({ cluster_name, environment }),
    data: ({ cluster_name }) => cluster_name ?? null,
    link: ({ run_id }) => (run_id === undefined ? undefined : { page: 'run', run_id }),
    reveals: 'cluster',
    min: 8,
  },
  owner: { text: ({ owners = [] }) => owners.join(', ') || null, reveals: 'person' },
  first_seen: {
    text: ({ first_seen_at }) => first_seen_at?.slice(0, 10) ?? null,
    data: ({ first_seen_at }) => first_seen_at ?? null,
    reveals: 'safe',
    from: 110,
  },
  scanned: {
    text: ({ seen_at }) => seen_at?.slice(0, 10) ?? null,
    data: ({ seen_at }) => seen_at ?? null,
    reveals: 'safe',
  },
  count: {
    title: 'Count',
    text: ({ count_delta, count }) => String(count_delta ?? count ?? 1),
    data: ({ count_delta, count }) => count_delta ?? count ?? 1,
    reveals: 'safe',
    align: 'right',
  },
  value: { text: ({ value }) => value, reveals: 'text' },
  fingerprint: { title: 'Fingerprint', text: ({ fingerprint }) => fingerprint, reveals: 'fingerprint' },
  is_unrated: {
    title: 'Unrated',
    text: ({ is_unrated }) => (is_unrated ? 'yes' : null),
    data: ({ is_unrated }) => is_unrated ?? false,
    reveals: 'safe',
  },
}) satisfies Record<Exclude<keyof Finding, WithoutColumn>, unknown>

/** Fields of a finding without a column of the same name: `check` shows the id, and only a single finding has the others. */
type WithoutColumn =
  | 'not_looked_at_since'
  | 'is_at_rest'
  | 'is_guessed'
  | 'check_id'
  | 'category'
  | 'exploited'
  | 'accepted'
  | 'workloads'

export type FindingColumn = keyof typeof findingColumns

/** Length of a short fingerprint, which is unique in a fleet. */
export const shortFingerprint = 12

/** `shop deployment/web`, or `cluster` if it has neither namespace nor resource. */
export function placeSaid({ namespace, resource }: Pick<ShownFinding, 'namespace' | 'resource'>): Said {
  const parts = [
    ...(namespace ? [[named('namespace', namespace)]] : []),
    ...(resource ? [[named('resource', resource)]] : []),
  ]
  return parts.length === 0 ? [safe('cluster')] : joined(parts, ' ')
}

/** New and regressed findings are red; open ones have no color. */
const stateTones: Record<FindingListItem['state'], Tone | undefined> = {
  new: 'bad',
  regressed: 'bad',
  open: undefined,
  accepted: 'soft',
  suppressed: 'soft',
  'not-run': 'warn',
}

interface NamedCluster {
  cluster_name: string
  environment?: string | undefined
}

/** Omits the environment `prod`, the default. */
export const clusterText = ({ cluster_name: name, environment }: NamedCluster) =>
  environment === undefined || environment === 'prod' ? name : `${name} (${environment})`

/** The message, with the finding's earlier state, its count and why it is suppressed. */
function messageText(finding: ShownFinding) {
  const { value, count, count_delta, from, to, reason, accepted, apart } = finding
  const message = finding.message && (apart === undefined ? finding.message : `${finding.message}: ${apart}`)
  const until = finding.until ?? finding.suppressed_until
  const notes = [
    from &&
      from.count === undefined &&
      (from.message === finding.message
        ? `${from.value ?? 'nothing'} → ${value ?? 'nothing'}`
        : `was: ${from.message ?? '-'}`),
    from?.count === undefined
      ? often(count, count_delta)
      : from.count === count
        ? ''
        : `${shareText(from.count, from.of)} → ${shareText(count, to?.of)}`,
    reason,
    until && `until ${until}`,
    accepted && `accepted until ${acceptedUntil(accepted)}: ${accepted.reason}`,
  ]
  const said = notes.filter(Boolean).join(', ')
  if (!message) return reason || '(no text)'
  return said === '' ? message : `${message} (${said})`
}

/** When the acceptance ends: a day, or an earlier release of a project. */
export const acceptedUntil = (accepted: FindingAcceptance) => plainText(untilSaid(accepted))

export const untilSaid = ({
  next_release_of: project,
  expires_on,
}: Pick<FindingAcceptance, 'next_release_of' | 'expires_on'>): Said =>
  project === undefined
    ? [safe(expires_on)]
    : say`the next release of ${named('artifact', project)}, ${safe(expires_on)} at the latest`

/** `1 of 2`: so many of the pods of a workload. */
export const shareText = (count = 1, of?: number) =>
  of === undefined ? number(count) : `${number(count)} of ${number(of)}`

const often = (count = 1, delta = 0) =>
  delta !== 0 ? `${signed(delta)}, ${count} ${delta > 0 ? 'now' : 'before'}` : count > 1 ? `×${count}` : ''

import type { FindingDetails, FindingOccurrence } from '../contract/finding.ts'
import type { OwnerRule } from '../contract/ownership.ts'
import { andMore, count, withoutStop } from '../util/words.ts'
import { placeSaid, untilSaid } from './finding.ts'
import { joined, type LinkTarget, named, safe, say, type Tone } from './said.ts'
import { severityText } from './severity.ts'
import { titles } from './titles.ts'
import { columnsOf, type Detail, detail, type ViewVerdict } from './view.ts'

type Found = FindingDetails['finding']

/**
 * The line for each field of a finding; undefined if it has no value, null if another field's line includes it. A missing
 * field is a type error.
 */
const lines: { [Member in keyof Required<Found>]: ((finding: Found) => Detail | undefined) | null } = {
  check_id: ({ check_id, check_name }) => {
    const id = named('check', check_id, { tone: 'strong', link: { page: 'check', check_id } })
    return detail(titles.check, say`${id} ${named('check', check_name)}`)
  },
  check_name: null,
  category: null,
  severity: ({ severity }) => detail(titles.severity, [safe(severityText(severity), severity)]),
  is_unrated: ({ is_unrated }) =>
    is_unrated ? detail('Rated by', say`relt, since the scanner gives no severity`) : undefined,
  not_looked_at_since: ({ not_looked_at_since: since, is_at_rest, is_guessed }) => {
    const why =
      (is_at_rest && safe(', because its template has no pods')) ||
      (is_guessed && safe(', by our guess: a filter of the scanner seems to leave it out'))
    return since === undefined
      ? undefined
      : detail('Not looked at', say`since ${safe(since)}${why}; it stays open until a scan looks`)
  },
  is_at_rest: null,
  is_guessed: null,
  exploited: ({ exploited }) => exploited && detail(titles.exploited, say`known since ${safe(exploited.since)}`),
  namespace: null,
  resource: (finding) => detail(titles.resource, placeSaid(finding)),
  message: ({ message, count: many = 1 }) => detail(titles.message, say`${message}${many > 1 && safe(` (×${many})`)}`),
  count: null,
  value: ({ value }) => (value === null ? undefined : detail(titles.value, say`${value}`)),
  workloads: (finding) => finding.workloads && detail(titles.workloads, ...workloadLines(finding)),
  format: ({ format }) => detail(titles.scanner, [safe(format)]),
  recommendation: ({ recommendation }) =>
    detail(titles.fix, recommendation ? [named('check', recommendation)] : say`The report has no recommendation.`),
  url: ({ url }) => (url ? detail('Link', [named('check', url, { link: { url } })]) : undefined),
  reason: ({ reason, suppressed_until: until }) =>
    reason === null ? undefined : detail('Suppressed', say`${reason}${until && say`, until ${until}`}`),
  suppressed_until: null,
  accepted: ({ accepted }) =>
    accepted &&
    detail(
      titles.accepted,
      say`until ${untilSaid(accepted)} by ${named('person', accepted.accepted_by)}: ${accepted.reason}`,
    ),
  fingerprint: null,
}

/** Owners of a finding's resource. Undefined if the server does not return them. */
export const ownersDetail = ({ owners }: FindingDetails) =>
  owners === undefined
    ? []
    : [detail(titles.owner, ...(owners.length === 0 ? [[safe('nobody')]] : owners.map(ownerSaid)))]

const ownerSaid = ({ owner, contact }: OwnerRule) =>
  contact ? say`${named('person', owner)} (${named('person', contact)})` : [named('person', owner)]

/** All details of a finding, each in one or a few lines. */
export const findingDetails = (finding: Found) => Object.values(lines).flatMap((line) => line?.(finding) ?? [])

const mostWorkloads = 20

/** Formats a workload: `shop/deployment/web (app)`. */
function workloadLines({ workloads = [], count: total = 0 }: Found) {
  const shown = workloads.slice(0, mostWorkloads).map(({ namespace, resource, container }) => {
    const place = joined([...(namespace ? [[named('namespace', namespace)]] : []), [named('resource', resource)]], '/')
    return container === null ? place : say`${place} (${named('resource', container)})`
  })
  return total > shown.length ? [...shown, say`${safe(andMore(total - shown.length))}`] : shown
}

/** Green only if no cluster has the finding any more. */
export function findingVerdict({ clusters }: Pick<FindingDetails, 'clusters'>): ViewVerdict {
  const open = clusters.filter(({ state }) => state === 'open').length
  const doubtful = clusters.filter(isDoubtful).length
  const gaps = doubtful > 0 ? [doubtsSaid(clusters)] : []
  if (open > 0) return { state: 'failed', words: say`Open in ${safe(count(open, 'cluster'))}`, gaps }
  const accepted = clusters.filter(({ state }) => state === 'accepted').length
  if (accepted > 0) return { state: 'undecided', words: say`Accepted in ${safe(count(accepted, 'cluster'))}`, gaps }
  if (doubtful > 0) return { state: 'undecided', words: say`Not known to be open`, gaps }
  const isGone = clusters.length > 0 && clusters.every(({ state }) => state === 'resolved')
  return { state: isGone ? 'passed' : 'undecided', words: say`Not open`, gaps }
}

/** Names each reason once. */
function doubtsSaid(clusters: FindingOccurrence[]) {
  const doubtful = safe(count(clusters.filter(isDoubtful).length, 'cluster'))
  const reasons = [...new Set(clusters.flatMap(({ doubt }) => doubt ?? []))].map(withoutStop).join('; ')
  return say`In ${doubtful} its state is not certain${reasons !== '' && say`: ${named('text', reasons)}`}`
}

const isDoubtful = ({ state, doubt }: FindingOccurrence) => doubt !== null || state === 'unknown'

const stateTones: Record<FindingOccurrence['state'], Tone> = {
  open: 'bad',
  accepted: 'warn',
  suppressed: 'warn',
  resolved: 'good',
  unknown: 'warn',
}

/** Columns of clusters that have or had the finding. */
export const occurrenceColumns = columnsOf<FindingOccurrence>()({
  cluster: { text: ({ cluster_name }) => cluster_name, reveals: 'cluster', min: 8 },
  environment: { text: ({ environment }) => environment, reveals: 'environment' },
  state: {
    text: (each) => (isDoubtful(each) ? `${each.state} ?` : each.state),
    data: ({ state }) => state,
    tone: (each) => (each.state !== 'open' && isDoubtful(each) ? 'warn' : stateTones[each.state]),
    reveals: 'safe',
  },
  first_seen: timeColumn(titles.first_seen, (each) => [each.first_seen_at, each.first_run_id]),
  last_seen: timeColumn('Last seen', (each) => [each.last_seen_at, each.last_run_id]),
  latest_scan: timeColumn('Latest scan', (each) => [each.latest_scan_at, each.latest_run_id]),
  run: { text: ({ last_run_id }) => last_run_id, reveals: 'id', from: 100 },
})

/** A time, with the run that it belongs to. */
function timeColumn(title: string, of: (each: FindingOccurrence) => [at: string | null, run: string | null]) {
  const link = (each: FindingOccurrence): LinkTarget | undefined => {
    const [, run_id] = of(each)
    return run_id === null ? undefined : { page: 'run', run_id }
  }
  return {
    title,
    as: 'time' as const,
    reveals: 'safe' as const,
    text: (each: FindingOccurrence) => of(each)[0],
    link,
  }
}

import type { StoredException } from '../contract/exception.ts'
import type { PolicyVerdict } from '../contract/gate-verdict.ts'
import { number } from '../util/words.ts'
import { placeSaid, shortFingerprint, untilSaid } from './finding.ts'
import { joined, named, plainText, type Said, safe, say, type Tone } from './said.ts'
import { columnsOf } from './view.ts'

/** Active exceptions hide findings from the gate; others have no effect. */
export const exceptionTone = ({ state }: Pick<StoredException, 'state'>): Tone => (state === 'active' ? 'warn' : 'soft')

/** `check=SEC014 namespace=shop in prod-eu`. */
export function targetText(exception: StoredException, fingerprintLength?: number): string {
  return plainText(targetSaid(exception, fingerprintLength))
}

function targetSaid(exception: StoredException, fingerprintLength?: number): Said {
  const { fingerprint, check, namespace, resource, artifact, advisory } = exception
  const known = exception.finding
  if (known) {
    const where = placeSaid(known)
    return inPlace(say`${named('check', known.check_id)} ${where}: ${known.message}`, exception)
  }
  const parts = [
    ['id', 'finding', fingerprint?.slice(0, fingerprintLength) ?? null],
    ['check', 'check', check],
    ['namespace', 'namespace', namespace],
    ['resource', 'resource', resource],
    ['artifact', 'artifact', artifact],
    ['safe', 'advisory', advisory],
  ] as const
  const target = joined(
    parts.flatMap(([reveals, word, value]) => (value ? [say`${safe(word)}=${named(reveals, value)}`] : [])),
    ' ',
  )
  return inPlace(target, exception)
}

function inPlace(target: Said, { cluster_name, environment }: StoredException): Said {
  const place = joined(
    [
      ...(cluster_name ? [[named('cluster', cluster_name)]] : []),
      ...(environment ? [say`(${named('environment', environment)})`] : []),
    ],
    ' ',
  )
  return place.length === 0 ? target : say`${target} in ${place}`
}

/** When an active exception ends, or how another ended. */
export function untilText({
  expires_on,
  next_release,
  ended_at,
  ended_by,
  state,
}: Pick<StoredException, 'expires_on' | 'next_release' | 'ended_at' | 'ended_by' | 'state'>): string {
  if (ended_at === null) {
    const until = untilSaid({ expires_on, next_release_of: next_release?.name })
    return state === 'expired' ? `ended ${expires_on}` : plainText(until)
  }
  return `ended ${ended_at.slice(0, 10)} ${endCause({ ended_by, next_release })}`
}

/** Why an exception ended before its last day. */
export const endCause = ({ ended_by, next_release }: Pick<StoredException, 'ended_by' | 'next_release'>) =>
  ended_by === null && next_release ? `with ${next_release.name} ${next_release.version}` : `by ${ended_by ?? '-'}`

export const exceptionColumns = columnsOf<StoredException>()({
  id: {
    text: ({ exception_id }) => exception_id,
    reveals: 'exception',
    link: ({ exception_id }) => ({ page: 'exception', exception_id }),
  },
  state: { text: ({ state }) => state, tone: exceptionTone, reveals: 'safe' },
  until: {
    tone: exceptionTone,
    reveals: 'safe',
    text: untilText,
    // In a table, the last day comes first.
    brief: (exception) =>
      exception.state === 'active' && exception.next_release
        ? `${exception.expires_on} or next release`
        : untilText(exception),
  },
  matches: {
    text: (exception) => targetText(exception),
    reveals: 'text',
    said: (exception) => targetSaid(exception, shortFingerprint),
    brief: (exception) => targetText(exception, shortFingerprint),
    min: 16,
  },
  matched: {
    text: ({ matched }) => (matched === undefined ? null : matched > 0 ? number(matched) : 'nothing'),
    data: ({ matched }) => matched ?? null,
    tone: ({ matched }) => (matched === 0 ? 'warn' : undefined),
    reveals: 'safe',
    align: 'right',
  },
  reason: { text: ({ reason }) => reason, reveals: 'text', min: 12 },
  by: { text: ({ created_by }) => created_by, reveals: 'person', from: 90 },
  since: { text: ({ created_at }) => created_at.slice(0, 10), reveals: 'safe', from: 110 },
})

/** Columns of exceptions that a gate used. */
export const usedExceptionColumns = Object.values(
  columnsOf<PolicyVerdict['exceptions'][number]>()({
    source: { text: ({ source }) => source, reveals: 'exception' },
    matched: { text: ({ matched }) => number(matched), reveals: 'safe', align: 'right' },
    until: { text: ({ expires }) => expires, reveals: 'safe' },
    reason: { text: ({ reason }) => reason, reveals: 'text' },
  }),
)

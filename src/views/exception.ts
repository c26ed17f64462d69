import type { StoredException } from '../contract/exception.ts'
import type { PolicyVerdict } from '../contract/gate-verdict.ts'
import { number } from '../util/words.ts'
import { placeSaid, shortFingerprint, untilSaid } from './finding.ts'
import { joined, named, plainText, safe, say, type Tone } from './said.ts'
import { columnsOf } from './view.ts'

/** Active exceptions hide findings from the gate; others have no effect. */
export const exceptionTone = ({ state }: Pick<StoredException, 'state'>): Tone => (state === 'active' ? 'warn' : 'soft')

/** `check=SEC014 namespace=shop in prod-eu (prod)`. */
export const targetText = (exception: StoredException) =>
  `${plainText(targetSaid(exception))} in ${whereText(exception)}`

function targetSaid(exception: StoredException, fingerprintLength?: number) {
  const { fingerprint, check, namespace, resource, artifact, advisory } = exception
  const known = exception.finding
  if (known) {
    return say`${named('check', known.check_id)} ${placeSaid(known)}: ${known.message}`
  }
  const parts = [
    ['id', 'finding', fingerprint?.slice(0, fingerprintLength) ?? null],
    ['check', 'check', check],
    ['namespace', 'namespace', namespace],
    ['resource', 'resource', resource],
    ['artifact', 'artifact', artifact],
    ['safe', 'advisory', advisory],
  ] as const
  return joined(
    parts.flatMap(([reveals, word, value]) => (value ? [say`${safe(word)}=${named(reveals, value)}`] : [])),
    ' ',
  )
}

interface Where {
  cluster_name?: string | null | undefined
  environment?: string | null | undefined
}

/** `prod-eu (prod)`, or `all clusters`. */
export const whereText = (where: Where) => plainText(whereSaid(where))

/** Of an exception in the form of a policy file. */
export const exceptionWhere = ({ cluster, environment }: { cluster?: string; environment?: string }) =>
  whereText({ cluster_name: cluster, environment })

function whereSaid({ cluster_name, environment }: Where) {
  const cluster = cluster_name ? named('cluster', cluster_name) : safe('all clusters')
  return environment ? say`${cluster} (${named('environment', environment)})` : [cluster]
}

/** What it matches now, and which gates fail by that, each in a sentence. Empty if the server does not say. */
export function effectTexts({ matched, failed_gates = [], state }: StoredException) {
  if (matched === undefined) return []
  const gates = failed_gates.map((gate) => `${whereText(gate)} (${number(gate.matched)} of them, ${gate.run_id})`)
  return [
    `It matches ${matched === 0 ? 'nothing' : number(matched)} in the latest runs.`,
    ...(gates.length > 0 && state === 'active'
      ? [`The gate failed and counted it in: ${gates.join(', ')}. Check again: relt gate check RUN`]
      : []),
  ]
}

/** When an active exception ends, or how another ended. */
export function untilText({
  expires_on,
  next_release,
  ended_at,
  ended_by,
  state,
}: Pick<StoredException, 'expires_on' | 'next_release' | 'ended_at' | 'ended_by' | 'state'>) {
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
    text: (exception) => plainText(targetSaid(exception)),
    reveals: 'text',
    said: (exception) => targetSaid(exception, shortFingerprint),
    brief: (exception) => plainText(targetSaid(exception, shortFingerprint)),
    min: 16,
  },
  where: { text: whereText, said: whereSaid, reveals: 'cluster', min: 8 },
  matched: {
    text: ({ matched }) => (matched === undefined ? null : matched > 0 ? number(matched) : 'nothing'),
    data: ({ matched }) => matched ?? null,
    tone: ({ matched }) => (matched === 0 ? 'warn' : undefined),
    reveals: 'safe',
    align: 'right',
    from: 90,
  },
  reason: { text: ({ reason }) => reason, reveals: 'text', min: 8 },
  by: { text: ({ created_by }) => created_by, reveals: 'person', from: 90 },
  since: { text: ({ created_at }) => created_at.slice(0, 10), reveals: 'safe', from: 110 },
})

/** Columns of exceptions that a gate used. */
export const usedExceptionColumns = Object.values(
  columnsOf<PolicyVerdict['exceptions'][number]>()({
    source: { text: ({ source }) => source, reveals: 'exception' },
    where: { text: ({ where = 'its policy' }) => where, reveals: 'cluster' },
    matched: { text: ({ matched }) => number(matched), reveals: 'safe', align: 'right' },
    until: { text: ({ expires }) => expires, reveals: 'safe' },
    reason: { text: ({ reason }) => reason, reveals: 'text' },
  }),
)

import type { StoredException } from '../../../contract/exception.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { shortFingerprint } from '../../../views/finding.ts'
import { renderDetails } from '../../output/details.ts'
import type { Io } from '../../output/io.ts'

/** `check=SEC014 namespace=shop in prod-eu`. `findingLength` shortens the id of a finding. */
export function targetText(exception: StoredException, findingLength?: number): string {
  const { fingerprint, check, namespace, resource, artifact, advisory, cluster_name, environment } = exception
  const parts = Object.entries({
    finding: fingerprint?.slice(0, findingLength) ?? null,
    check,
    namespace,
    resource,
    artifact,
    advisory,
  })
  const place = [cluster_name, environment && `(${environment})`].filter(Boolean).join(' ')
  const target = parts.flatMap(([name, value]) => (value === null ? [] : `${name}=${value}`)).join(' ')
  return place === '' ? target : `${target} in ${place}`
}

export const exceptionColumns = ({ color, isTerminal }: Io): Column<StoredException>[] => [
  { title: 'ID', value: ({ exception_id }) => exception_id },
  {
    title: 'Until',
    value: ({ expires_on, ended_at }) => (ended_at === null ? expires_on : `ended ${ended_at.slice(0, 10)}`),
    style: (cell, { state }) => (state === 'expired' ? color.yellow(cell) : cell),
  },
  {
    title: 'Matches',
    value: (exception) => targetText(exception, isTerminal ? shortFingerprint : undefined),
    min: 16,
  },
  { title: 'Reason', value: ({ reason }) => reason, min: 12 },
  { title: 'By', value: ({ created_by }) => created_by, from: 90 },
  { title: 'Since', value: ({ created_at }) => created_at.slice(0, 10), from: 110 },
]

export function renderException(io: Io, exception: StoredException): string {
  const { exception_id, state, reason, expires_on, created_at, created_by, ended_at, ended_by, justification } =
    exception
  const details: [string, string][] = [
    ['ID', io.color.bold(exception_id)],
    ['State', state],
    ['Matches', plain(targetText(exception))],
    ['Reason', plain(reason)],
    ...(justification === null ? [] : [['Justification', justification] satisfies [string, string]]),
    ['Until', expires_on],
    ['Added', `${created_at} by ${plain(created_by)}`],
    ...(ended_at === null ? [] : [['Ended', `${ended_at} by ${plain(ended_by ?? '-')}`] satisfies [string, string]]),
  ]
  return renderDetails(io, details)
}

import type { RiskPathOfRun } from '../contract/finding.ts'
import type { RiskPath } from '../contract/risk-path.ts'
import { severityOfPath } from '../reports/path-severity.ts'
import { count } from '../util/words.ts'
import { clusterText, placeSaid } from './finding.ts'
import { joined, named, safe, say, type Tone, toned } from './said.ts'
import { titles } from './titles.ts'
import { columnsOf } from './view.ts'

/** Red if the scanner marks it as urgent. */
function pathTone(path: RiskPath): Tone {
  if (!path.is_open) return 'soft'
  const severity = severityOfPath(path)
  return severity === 'critical' || severity === 'high' ? 'bad' : 'warn'
}

interface PathChanges {
  opened?: readonly Pick<RiskPath, 'kind' | 'id'>[]
}

/** Open paths; those that opened since the earlier run come first. */
export function openPaths(paths: readonly RiskPath[], changes?: PathChanges | null) {
  const toKey = ({ kind, id }: Pick<RiskPath, 'kind' | 'id'>) => `${kind} ${id}`
  const came = new Set(changes?.opened?.map(toKey))
  return paths
    .flatMap((path) => (path.is_open ? [{ path, isNew: came.has(toKey(path)) }] : []))
    .sort((a, b) => Number(b.isNew) - Number(a.isNew))
}

/** `open, priority High, confidence Medium` */
function stateSaid(path: RiskPath) {
  const parts = [
    ...(path.status ? [[named('text', path.status)]] : []),
    ...(path.fix_priority ? [say`priority ${path.fix_priority}`] : []),
    ...(path.confidence ? [say`confidence ${path.confidence}`] : []),
  ]
  return toned(pathTone(path), joined(parts, ', '))
}

/** A path as a heading and a few lines: its state, what it is based on, and the evidence. */
export function pathLines(path: RiskPathOfRun) {
  const basis = path.triggered_by.length > 0 ? path.triggered_by : path.requires
  const cluster = named('cluster', clusterText(path))
  return {
    heading: say`${named('check', `${path.id} ${path.name}`, { tone: 'strong' })}  ${cluster}`,
    lines: [
      stateSaid(path),
      ...(path.summary === null ? [] : [say`${path.summary}`]),
      ...(basis.length > 0 ? [say`Combines ${named('check', basis.join(', '))}`] : []),
      ...path.evidence.flatMap(({ check_id, check_name, findings, samples }) => [
        say`${named('check', `${check_id} ${check_name ?? ''}`)}: ${safe(count(findings, 'finding'))}`,
        ...samples.slice(0, 1).map((sample) => toned('soft', say`  such as ${placeSaid(sample)}`)),
      ]),
    ],
  }
}

export const pathColumns = columnsOf<RiskPath>()({
  path: { title: titles.risk_path, text: ({ id, name }) => `${id} ${name}`, reveals: 'check', tone: pathTone },
  kind: { text: ({ kind }) => kind, reveals: 'safe' },
  id: { text: ({ id }) => id, reveals: 'check' },
  name: { text: ({ name }) => name, reveals: 'check' },
  status: { text: ({ status }) => status, reveals: 'text' },
  priority: { title: 'Priority', text: ({ fix_priority }) => fix_priority, reveals: 'text', tone: pathTone },
  confidence: { text: ({ confidence }) => confidence, reveals: 'text' },
  rests_on: {
    title: 'Rests on',
    reveals: 'check',
    text: ({ signal_checks, requires }) => [...signal_checks, ...requires].join(', ') || null,
  },
  checks: {
    reveals: 'check',
    text: ({ evidence, triggered_by }) => [...evidence.map(({ check_id }) => check_id), ...triggered_by].join(' '),
  },
  summary: { title: 'Summary', text: ({ summary }) => summary, reveals: 'text' },
})

/** The columns of a path, plus the cluster that it is in. */
export const pathOfRunColumns = {
  ...columnsOf<RiskPathOfRun>()({
    cluster: { text: ({ cluster_name }) => cluster_name, reveals: 'cluster' },
    environment: { text: ({ environment }) => environment, reveals: 'environment' },
  }),
  ...pathColumns,
}

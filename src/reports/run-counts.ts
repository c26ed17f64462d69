import { remember } from '../util/remember.ts'
import { checkAt, countAt, isUnlistedAt, offsetsIn, rankAt } from './finding-records.ts'
import { namespacesAt, type PlaceSets } from './place-sets.ts'
import type { RunFindings } from './run-findings.ts'
import { isEvent } from './state-check.ts'

/** One group in a run: its number of findings and rows by severity, worst first. */
export interface RunGroup {
  key: string | null
  /** Number of the check or namespace in the run's records. */
  number: number
  name: string | null
  findings: number[]
  rows: number[]
  /** The part of `rows` that the report counts without listing. These rows have no namespace. */
  unlistedRows: number[]
  /** The part of a namespace that events are, which are no news. Undefined without any. */
  events?: Pick<RunGroup, 'findings' | 'rows'>
}

/** Findings of a run with equal severity and row count. */
interface EqualFindings {
  rank: number
  /** Row count of each finding. */
  count: number
  findings: number
  /** Total rows of these findings that the report counts without listing. */
  unlistedRows: number
}

/** Counts of a run's findings that lists and groups are made of, so that these need not open the run. */
export interface RunCounts {
  check: RunGroup[]
  /** A finding in several namespaces counts in the group of each. */
  namespace: RunGroup[]
  equals: EqualFindings[]
  /** Namespaces of each set of places. */
  places?: Pick<PlaceSets, 'namespaces'>
}

export function countFindings({
  records,
  checks,
  namespaces,
  places,
}: Omit<RunFindings['index'], 'suppressed'>): RunCounts {
  const zeros = () => [0, 0, 0, 0, 0]
  const group = (number: number, key: string | null, name: string | null): RunGroup => ({
    number,
    key,
    name,
    findings: zeros(),
    rows: zeros(),
    unlistedRows: zeros(),
  })
  const ofCheck = checks.map(({ id, name }, number) => group(number, id, name))
  const ofNamespace = [null, ...namespaces].map((name, number) => group(number, name, null))
  const equals = new Map<string, EqualFindings>()
  for (const at of offsetsIn(records)) {
    const [rank, rows] = [rankAt(records, at), countAt(records, at)]
    const unlisted = isUnlistedAt(records, at) ? rows : 0
    const ofPlaces = namespacesAt(records, at, places).map((number) => ofNamespace[number]!)
    const ofEvents = isEvent(checks[checkAt(records, at)]!.id)
      ? ofPlaces.map((each) => (each.events ??= { findings: zeros(), rows: zeros() }))
      : []
    for (const each of ofEvents) {
      each.findings[rank]!++
      each.rows[rank]! += rows
    }
    for (const each of [ofCheck[checkAt(records, at)]!, ...ofPlaces]) {
      each.findings[rank]!++
      each.rows[rank]! += rows
      each.unlistedRows[rank]! += unlisted
    }
    const equal = remember(equals, `${rank} ${rows}`, () => ({ rank, count: rows, findings: 0, unlistedRows: 0 }))
    equal.findings++
    equal.unlistedRows += unlisted
  }
  const isFilled = ({ findings }: RunGroup) => findings.some((many) => many > 0)
  return {
    check: ofCheck.filter(isFilled),
    namespace: ofNamespace.filter(isFilled),
    equals: [...equals.values()],
    ...(places && { places: { namespaces: places.namespaces } }),
  }
}

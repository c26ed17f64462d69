import { checkAt, countAt, isUnlistedAt, rankAt, recordLength } from '../../reports/finding-records.ts'
import { namespacesAt, type PlaceSets } from '../../reports/place-sets.ts'
import type { RunFindings } from '../../reports/run-findings.ts'
import { RecentValues } from '../../util/recent-values.ts'

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
}

export interface RunGroups {
  check: RunGroup[]
  /** A finding in several namespaces counts in the group of each. */
  namespace: RunGroup[]
  places?: PlaceSets | undefined
}

/** Cached, because opening a run is slow. */
const counted = new RecentValues<RunGroups>(200_000)

/** Groups of a run by check and by namespace; `open` is called on a cache miss. `key`: the run and its revision. */
export async function toGroups(key: string, open: () => Promise<RunFindings>): Promise<RunGroups> {
  const known = counted.get(key)
  if (known) return known
  const found = countGroups((await open()).index)
  counted.set(key, found, 1 + found.check.length + found.namespace.length + (found.places?.places.length ?? 0))
  return found
}

function countGroups({ records, checks, namespaces, places }: RunFindings['index']): RunGroups {
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
  for (let at = 0; at < records.length; at += recordLength) {
    const [rank, rows] = [rankAt(records, at), countAt(records, at)]
    const ofPlaces = namespacesAt(records, at, places).map((number) => ofNamespace[number]!)
    for (const each of [ofCheck[checkAt(records, at)]!, ...ofPlaces]) {
      each.findings[rank]!++
      each.rows[rank]! += rows
      if (isUnlistedAt(records, at)) each.unlistedRows[rank]! += rows
    }
  }
  const isFilled = ({ findings }: RunGroup) => findings.some((many) => many > 0)
  return { check: ofCheck.filter(isFilled), namespace: ofNamespace.filter(isFilled), places }
}

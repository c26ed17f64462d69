import type { OwnerRule } from '../contract/ownership.ts'
import { namespaceAt, placesAt } from './finding-records.ts'
import type { ClusterOwnership } from './ownership.ts'
import { placeOfKey } from './place-sets.ts'
import type { RunFindings } from './run-findings.ts'
import { formatTexts } from './select-findings.ts'

/** Filter value for findings without an owner. */
const noOwner = '-'

/** Owners of the findings in some records, each owner of a place once. */
export async function ownersOfRecords(
  { index, details }: Pick<RunFindings, 'index' | 'details'>,
  ownership: ClusterOwnership,
  offsets: number[],
): Promise<Map<number, OwnerRule[]>> {
  const { records, namespaces, places } = index
  const found = new Map<number, OwnerRule[]>()
  const plain: number[] = []
  for (const at of offsets) {
    const set = placesAt(records, at)
    if (set === undefined || !places) plain.push(at)
    else {
      const own = places.sets[set]!.map((place) => placeOfKey(places.places[place]!))
      found.set(at, distinct(own.map(({ namespace, resource }) => ownership.of(namespace || null, resource))))
    }
  }
  const of = (at: number, resource: string | null) => {
    const number = namespaceAt(records, at)
    found.set(at, distinct([ownership.of(number === 0 ? null : namespaces[number - 1]!, resource)]))
  }
  if (ownership.isByNamespace) for (const at of plain) of(at, null)
  else for await (const [at, { resource }] of formatTexts({ index, details }, plain)) of(at, resource)
  return found
}

const distinct = (rules: (OwnerRule | undefined)[]): OwnerRule[] => {
  const byName = new Map(rules.flatMap((rule) => (rule ? [[rule.owner, rule]] : [])))
  return [...byName.values()]
}

/** Whether a filter by owner matches: one of these owners, or none. */
export const isOwnedBy = (owners: OwnerRule[], wanted: string): boolean =>
  wanted === noOwner ? owners.length === 0 : owners.some(({ owner }) => owner === wanted)

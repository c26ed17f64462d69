import type { FindingSeverity } from '../contract/scan-finding.ts'
import { rankFor, readTexts, toBlock } from './finding-index.ts'
import { checkAt, countAt, isUnlistedAt, placeAt, placesAt, rankAt, recordLength } from './finding-records.ts'
import type { Item } from './item.ts'
import { namespacesAt } from './place-sets.ts'
import type { RunFindings } from './run-findings.ts'

/** All given parts must match. Texts are compared without regard to case. */
export interface FindingFilter {
  severities?: FindingSeverity[] | undefined
  /** A hyphen selects findings without a namespace. */
  namespace?: string | undefined
  check?: string | undefined
  /** A part of the resource. */
  resource?: string | undefined
  /** A part of check, namespace, resource, message or value. */
  search?: string | undefined
  /** An owner of what it is about; a hyphen selects findings without one. The caller knows the owners. */
  owner?: string | undefined
}

export type Texts = Pick<Item, 'resource' | 'message' | 'value'>

/** Only severities are asked for: counts of severities tell how much matches. */
export const isOnlySeverities = ({ namespace, check, resource, search, owner }: FindingFilter): boolean =>
  [namespace, check, resource, search, owner].every((part) => part === undefined)

/** The group of findings that is asked for, of any severity: counts of groups tell how much matches. */
export function toGroup({ namespace, check, resource, search, owner }: FindingFilter) {
  if (
    resource !== undefined ||
    search !== undefined ||
    owner !== undefined ||
    (check === undefined) === (namespace === undefined)
  )
    return
  if (check !== undefined) {
    // Runs share their checks, and ignoring case takes long.
    const known = new Map<string | null, boolean>([[null, false]])
    const has = (key: string | null) => {
      const isWanted = known.get(key) ?? isSame(key!, check)
      known.set(key, isWanted)
      return isWanted
    }
    return { by: 'check', has } as const
  }
  // Findings without a namespace include those that the report only counts, which no filter on namespaces selects.
  if (namespace !== '-') return { by: 'namespace', has: (key: string | null) => key === namespace } as const
}

/** Fields that filters read of a finding that is no record: a suppressed one, or a check that did not run. */
export interface FilterSubject extends Texts {
  /** Null: not known. */
  rank: number | null
  checkId: string
  checkName: string
  namespace: string | null
  /** Where it is in several. */
  namespaces?: readonly (string | null)[]
}

export function matchesFilter(filter: FindingFilter, subject: FilterSubject): boolean {
  const { severities, namespace, check, resource, search } = filter
  const { rank, checkId, checkName } = subject
  if (severities && (rank === null || !severities.some((severity) => rankFor(severity) === rank))) return false
  if (check !== undefined && !isSame(checkId, check)) return false
  const { namespaces = [subject.namespace] } = subject
  if (namespace !== undefined && !namespaces.some((name) => isNamespace(name, namespace))) return false
  if (resource !== undefined && !contains(subject.resource, resource.toLowerCase())) return false
  if (search === undefined) return true
  const part = search.toLowerCase()
  const texts = [checkId, checkName, subject.namespace, subject.resource, subject.message, subject.value]
  return texts.some((text) => contains(text, part))
}

/** Offsets of the matching records of a run, and how many rows it counts without listing them. */
export async function selectRecords(
  run: Pick<RunFindings, 'index' | 'details'>,
  filter: FindingFilter,
): Promise<{ offsets: number[]; unlistedRows: number }> {
  const { records, checks, namespaces, places } = run.index
  const ranks = filter.severities && new Set(filter.severities.map(rankFor))
  const search = filter.search?.toLowerCase()
  const resource = filter.resource?.toLowerCase()
  const isOfCheck = checks.map(({ id }) => filter.check === undefined || isSame(id, filter.check))
  const saysCheck = checks.map(
    ({ id, name }) => search !== undefined && (contains(id, search) || contains(name, search)),
  )
  const isInNamespace = [null, ...namespaces].map(
    (name) => filter.namespace === undefined || isNamespace(name, filter.namespace),
  )
  const needsPlace = [filter.namespace, resource, search, filter.owner].some((part) => part !== undefined)
  const offsets: number[] = []
  let unlistedRows = 0
  for (let at = 0; at < records.length; at += recordLength) {
    if (ranks && !ranks.has(rankAt(records, at))) continue
    if (!isOfCheck[checkAt(records, at)]) continue
    if (isUnlistedAt(records, at)) {
      unlistedRows += countAt(records, at)
      // Only the check itself is known of these.
      const isAnywhere = [filter.namespace, resource, filter.owner].every((part) => part === undefined)
      if (needsPlace && !(isAnywhere && saysCheck[checkAt(records, at)])) continue
    } else if (!namespacesAt(records, at, places).some((number) => isInNamespace[number])) continue
    offsets.push(at)
  }
  if (resource === undefined && search === undefined) return { offsets, unlistedRows }
  return { offsets: await selectByText(run, offsets, { resource, search, saysCheck }), unlistedRows }
}

interface TextFilter {
  /** In lower case. */
  resource: string | undefined
  search: string | undefined
  /** By check, whether its own texts have what is searched. */
  saysCheck: boolean[]
}

async function selectByText(
  { index, details }: Pick<RunFindings, 'index' | 'details'>,
  offsets: number[],
  { resource, search, saysCheck }: TextFilter,
): Promise<number[]> {
  const { records, namespaces, places } = index
  const saysNamespace = [null, ...namespaces].map((name) => search !== undefined && contains(name, search))
  // What a finding's places are called, since its texts do not say it.
  const setHas = (part: string | undefined) =>
    (places?.sets ?? []).map((set) => part !== undefined && set.some((place) => contains(places!.places[place]!, part)))
  const [setOfResource, setOfSearch] = [setHas(resource), setHas(search)]
  const matches: number[] = []
  for await (const [at, found] of formatTexts({ index, details }, offsets)) {
    const set = placesAt(records, at)
    const isOf = (sets: boolean[]) => set !== undefined && sets[set]!
    if (resource !== undefined && !contains(found.resource, resource) && !isOf(setOfResource)) continue
    const isFound =
      search === undefined ||
      saysCheck[checkAt(records, at)] ||
      isOf(setOfSearch) ||
      saysNamespace[namespacesAt(records, at, places)[0]!] ||
      [found.resource, found.message, found.value].some((text) => contains(text, search))
    if (isFound) matches.push(at)
  }
  return matches
}

/** The texts of records, block by block: one block is in memory at a time. */
export async function* formatTexts(
  { index, details }: Pick<RunFindings, 'index' | 'details'>,
  offsets: number[],
): AsyncGenerator<[at: number, texts: Texts]> {
  const byBlock = Map.groupBy(offsets, (at) => toBlock(placeAt(index.records, at)))
  for (const [number, own] of byBlock) {
    const block = await details(number)
    for (const at of own) yield [at, readTexts(block, placeAt(index.records, at))]
  }
}

const isSame = (id: string, wanted: string): boolean => id.toLowerCase() === wanted.toLowerCase()

const contains = (text: string | null, part: string): boolean => text?.toLowerCase().includes(part) ?? false

const isNamespace = (name: string | null, wanted: string): boolean =>
  wanted === '-' ? name === null : name !== null && name === wanted

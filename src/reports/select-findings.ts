import type { FindingSeverity } from '../contract/scan-finding.ts'
import { remember } from '../util/remember.ts'
import { rankFor, readTexts, toBlock } from './finding-index.ts'
import { checkAt, countAt, isUnlistedAt, placeAt, placesAt, rankAt, recordLength } from './finding-records.ts'
import type { Item } from './item.ts'
import { namespacesAt } from './place-sets.ts'
import type { RunFindings } from './run-findings.ts'

/** All given conditions must match. Text comparison ignores case. */
export interface FindingFilter {
  severities?: FindingSeverity[] | undefined
  /** Namespace; a hyphen selects findings without one. */
  namespace?: string | undefined
  check?: string | undefined
  /** Part of the resource. */
  resource?: string | undefined
  /** Part of check, namespace, resource, message or value. */
  search?: string | undefined
  /** Owner of the resource; a hyphen selects findings without one. The caller resolves owners. */
  owner?: string | undefined
}

export type Texts = Pick<Item, 'resource' | 'message' | 'value'>

/** Whether the filter has only severities: counts by severity then suffice to count matches. */
export const isOnlySeverities = ({ namespace, check, resource, search, owner }: FindingFilter): boolean =>
  [namespace, check, resource, search, owner].every((part) => part === undefined)

/** The group of findings that the filter selects, of any severity: counts of groups then suffice to count matches. */
export function toGroup({ namespace, check, resource, search, owner }: FindingFilter) {
  if (
    resource !== undefined ||
    search !== undefined ||
    owner !== undefined ||
    (check === undefined) === (namespace === undefined)
  )
    return
  if (check !== undefined) {
    // Cache: runs share their checks, and comparing without case is slow.
    const known = new Map<string | null, boolean>([[null, false]])
    const has = (key: string | null) => remember(known, key, () => isSame(key!, check))
    return { by: 'check', has } as const
  }
  // Findings without a namespace include unlisted ones, which no other namespace filter selects.
  if (namespace !== '-') return { by: 'namespace', has: (key: string | null) => key === namespace } as const
}

/** Fields to filter findings that are not records: suppressed ones, and checks that did not run. */
export interface FilterSubject extends Texts {
  /** Rank of the severity; null: unknown. */
  rank: number | null
  checkId: string
  checkName: string
  namespace: string | null
  /** Namespaces, if it is in several. */
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

/** Offsets of a run's matching records, and the number of rows counted without being listed. */
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
      // For unlisted rows only the check is known.
      const isAnywhere = [filter.namespace, resource, filter.owner].every((part) => part === undefined)
      if (needsPlace && !(isAnywhere && saysCheck[checkAt(records, at)])) continue
    } else if (!namespacesAt(records, at, places).some((number) => isInNamespace[number])) continue
    offsets.push(at)
  }
  if (resource === undefined && search === undefined) return { offsets, unlistedRows }
  return { offsets: await selectByText(run, offsets, { resource, search, saysCheck }), unlistedRows }
}

/** Both terms are in lower case. `saysCheck`: by check, whether its own texts contain the search term. */
async function selectByText(
  { index, details }: Pick<RunFindings, 'index' | 'details'>,
  offsets: number[],
  { resource, search, saysCheck }: { resource: string | undefined; search: string | undefined; saysCheck: boolean[] },
): Promise<number[]> {
  const { records, namespaces, places } = index
  const saysNamespace = [null, ...namespaces].map((name) => search !== undefined && contains(name, search))
  // Whether the places of a finding contain the term: their names are not in its texts.
  const setHas = (part: string | undefined) =>
    (places?.sets ?? []).map((set) => part !== undefined && set.some((place) => contains(places!.places[place]!, part)))
  const [setOfResource, setOfSearch] = [setHas(resource), setHas(search)]
  const matches: number[] = []
  for (const [number, own] of Map.groupBy(offsets, (at) => toBlock(placeAt(records, at)))) {
    const block = await details(number)
    const mayHave = blockHas(block)
    const isAsked = mayHave(resource) || mayHave(search)
    for (const at of own) {
      const set = placesAt(records, at)
      const isOf = (sets: boolean[]) => set !== undefined && sets[set]!
      const found = isAsked ? readTexts(block, placeAt(records, at)) : noTexts
      if (resource !== undefined && !contains(found.resource, resource) && !isOf(setOfResource)) continue
      const isFound =
        search === undefined ||
        saysCheck[checkAt(records, at)] ||
        isOf(setOfSearch) ||
        saysNamespace[namespacesAt(records, at, places)[0]!] ||
        [found.resource, found.message, found.value].some((text) => contains(text, search))
      if (isFound) matches.push(at)
    }
  }
  return matches
}

const noTexts: Texts = { resource: null, message: '', value: null }

/**
 * Whether a block of texts may have a part, in lower case: cutting out each text takes longer. Letters beyond ASCII are in
 * lower case by their neighbors, so the block does not decide about them.
 */
function blockHas(block: Buffer): (part: string | undefined) => boolean {
  const text = block.toString('utf8').toLowerCase()
  return (part) => part !== undefined && (/[^\x20-\x7e]/.test(part) || text.includes(part))
}

/** Yields the texts of records block by block, one block in memory at a time. */
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

import type { Finding } from '../contract/scan-finding.ts'
import type { EveryKey } from '../util/every-key.ts'
import { formatTimestamp } from '../util/time.ts'
import { readTexts, severityFor, toBlock } from './finding-index.ts'
import { checkAt, countAt, fingerprintsAt, isUnratedAt, placeAt, placesAt, rankAt } from './finding-records.ts'
import { fingerprintLength } from './fingerprint.ts'
import { namespacesAt, type PlaceSets, placeOfKey } from './place-sets.ts'
import type { RunFindings } from './run-findings.ts'

/** Fields of a finding that are in an index; the catalog and exceptions add the others. */
type Indexed = EveryKey<Omit<Finding, 'exploited' | 'accepted'>>

/** Reads the findings of the records at these offsets. */
export async function readFindings(
  run: Pick<RunFindings, 'index' | 'details' | 'showFingerprints'>,
  offsets: number[],
): Promise<Indexed[]> {
  const { records } = run.index
  const places = offsets.map((offset) => placeAt(records, offset))
  const blocks = new Map<number, Buffer>()
  for (const block of new Set(places.map(toBlock))) blocks.set(block, await run.details(block))
  const shown = run.showFingerprints(fingerprintsAt(records, offsets))
  return offsets.map((offset, i) => ({
    fingerprint: shown.toString('hex', i * fingerprintLength, (i + 1) * fingerprintLength),
    ...readFinding(run.index, offset, blocks.get(toBlock(places[i]!))!),
  }))
}

/** The offsets of rows, for `readFindings`. */
export const offsetsOf = (rows: { at: number }[]): number[] => rows.map(({ at }) => at)

function readFinding(
  { records, checks, namespaces, places }: RunFindings['index'],
  offset: number,
  block: Buffer,
): Omit<Indexed, 'fingerprint'> {
  const { resource, message, value } = readTexts(block, placeAt(records, offset))
  const [namespace = 0, ...others] = namespacesAt(records, offset, places)
  const check = checks[checkAt(records, offset)]!
  return {
    check_id: check.id,
    check_name: check.name,
    category: check.category,
    severity: severityFor(rankAt(records, offset)),
    namespace: namespace === 0 || others.length > 0 ? null : namespaces[namespace - 1]!,
    resource,
    message,
    value,
    count: countAt(records, offset),
    is_unrated: isUnratedAt(records, offset) || undefined,
    is_at_rest: check.isAtRest,
    is_guessed: check.isGuessed,
    not_looked_at_since: check.since === undefined ? undefined : formatTimestamp(check.since),
    workloads: toWorkloads(placesAt(records, offset), places),
  }
}

/** A finding is counted once per place; a response names at most this many. */
const mostWorkloads = 100

function toWorkloads(set: number | undefined, places: PlaceSets | undefined): Finding['workloads'] {
  if (set === undefined || !places) return undefined
  const keys = (places.sets[set] ?? []).slice(0, mostWorkloads).map((place) => places.places[place]!)
  return keys.map(placeOfKey).map(({ namespace, resource, container = null }) => ({
    namespace: namespace || null,
    resource,
    container,
  }))
}

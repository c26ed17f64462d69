import type { Finding } from '../contract/scan-finding.ts'
import { blockOf, readTexts, severityOf } from './finding-index.ts'
import { checkAt, countAt, fingerprintsAt, isUnratedAt, placeAt, placesAt, rankAt } from './finding-records.ts'
import { fingerprintLength } from './fingerprint.ts'
import { namespacesAt, type PlaceSets, placeOfKey } from './place-sets.ts'
import type { RunFindings } from './run-findings.ts'

/** The findings of some records, by the offsets of these. */
export async function readFindings(
  run: Pick<RunFindings, 'index' | 'details' | 'showFingerprints' | 'earlierOf'>,
  offsets: number[],
): Promise<Finding[]> {
  const { records } = run.index
  const places = offsets.map((offset) => placeAt(records, offset))
  const blocks = new Map<number, Buffer>()
  for (const block of new Set(places.map(blockOf))) blocks.set(block, await run.details(block))
  const shown = run.showFingerprints(fingerprintsAt(records, offsets))
  return offsets.map((offset, i) => ({
    fingerprint: shown.toString('hex', i * fingerprintLength, (i + 1) * fingerprintLength),
    ...readFinding(run.index, offset, blocks.get(blockOf(places[i]!))!),
    ...earlierOf(run, offset),
  }))
}

function earlierOf({ index, earlierOf }: Pick<RunFindings, 'index' | 'earlierOf'>, offset: number) {
  const earlier_fingerprints = earlierOf?.(fingerprintsAt(index.records, [offset]))
  return earlier_fingerprints && { earlier_fingerprints }
}

function readFinding(
  { records, checks, namespaces, places }: RunFindings['index'],
  offset: number,
  block: Buffer,
): Omit<Finding, 'fingerprint'> {
  const { resource, message, value } = readTexts(block, placeAt(records, offset))
  const [namespace = 0, ...others] = namespacesAt(records, offset, places)
  const check = checks[checkAt(records, offset)]!
  return {
    check_id: check.id,
    check_name: check.name,
    category: check.category,
    severity: severityOf(rankAt(records, offset)),
    namespace: namespace === 0 || others.length > 0 ? null : namespaces[namespace - 1]!,
    resource,
    message,
    value,
    count: countAt(records, offset),
    ...(isUnratedAt(records, offset) && { is_unrated: true }),
    ...workloadsOf(placesAt(records, offset), places),
  }
}

/** A finding is counted once for each of its places; an answer names some of them. */
const mostWorkloads = 100

function workloadsOf(set: number | undefined, places: PlaceSets | undefined): Pick<Finding, 'workloads'> {
  if (set === undefined || !places) return {}
  const keys = (places.sets[set] ?? []).slice(0, mostWorkloads).map((place) => places.places[place]!)
  return {
    workloads: keys.map(placeOfKey).map(({ namespace, resource, container = null }) => ({
      ...{ namespace: namespace || null, resource, container },
    })),
  }
}

import type { FindingCounts } from '../contract/scan-finding.ts'
import { kept, remember } from '../util/remember.ts'
import type { UnixSeconds } from '../util/time.ts'
import { findAtRest, type RestState, templatesWithRows } from './at-rest.ts'
import { allSubjects, comparability, type Incomparable } from './comparability.ts'
import { filteredAway } from './filtered-away.ts'
import { readTexts, severityFor, TextBlocks, toBlock } from './finding-index.ts'
import {
  checkAt,
  countAt,
  fingerprintOrder,
  namespaceAt,
  offsetsIn,
  placeAt,
  placesAt,
  rankAt,
  recordLength,
  rewriteRecord,
  sortRecords,
} from './finding-records.ts'
import type { Subject } from './ledger.ts'
import { noFindings } from './no-findings.ts'
import { noPlaces } from './place-sets.ts'
import type { Look, RunFindings } from './run-findings.ts'
import { isRunning, type RunningImages } from './running-images.ts'
import { formatTexts } from './select-findings.ts'

export interface CarriedOver {
  /** That of the scan, with the findings that are carried over; checks of these follow the scan's own. */
  index: RunFindings['index']
  carriedSubjects: Subject[]
  /** Compressed blocks that follow those of the scan itself. */
  details: Buffer[]
  /** How many rows are carried over. */
  counts: FindingCounts
}

interface Earlier extends RunFindings {
  at: UnixSeconds
}

/** Findings of these stay open: the scan did not look where they were. */
const unseenReasons = new Set<Incomparable['reason'] | undefined>([
  'check_not_run',
  'check_not_in_scope',
  'namespace_not_in_scope',
  'part_not_in_run',
  'subject_not_in_run',
  'takes_turns',
])

/**
 * Adds the findings of the run before, at `at`, that this scan did not look at: they stay open until a scan looks. So do those of
 * another version of an image that `running` lists, of a template that has no pods now, and of an earlier upload of the same
 * build (`isAddition`). Nothing unseen is carried into a scan that `begins` again, because somebody took it in as it is.
 * `blocks`: number of the scan's blocks of details.
 */
export async function carryOver(
  before: Earlier,
  now: RunFindings,
  {
    begins,
    blocks,
    running,
    isAddition,
  }: { begins: boolean; blocks: number; running: RunningImages; isAddition: boolean },
): Promise<CarriedOver | undefined> {
  const { records } = before.index
  const why = comparability(before, now)
  const runsStill = allSubjects(before).map(
    (subject) => isRunning(running, subject) === true && !now.subjects.some((own) => isSameVersion(own, subject)),
  )
  const { true: unseen = [], false: seen = [] } = Object.groupBy(goneFrom(records, now.index.records), (offset) => {
    const isUnseen = !begins && unseenReasons.has(why.record(offset)?.reason)
    return String(isAddition || isUnseen || runsStill[before.index.checks[checkAt(records, offset)]!.subject ?? 0])
  })
  const comparable = seen.filter((offset) => why.record(offset) === undefined)
  const gone = await Array.fromAsync(formatTexts(before, comparable), ([offset, { resource }]) => {
    const number = namespaceAt(records, offset)
    return { offset, resource, namespace: number === 0 ? null : before.index.namespaces[number - 1]! }
  })
  let rows: Promise<Set<string>> | undefined
  const resting = await findAtRest(before, now, gone, () => (rows ??= templatesWithRows(now)))
  const atRest = new Map([...resting].map(([{ offset }, state]) => [offset, state]))
  const filtered = filteredAway(before, now, comparable)
  const offsets = [...unseen, ...atRest.keys(), ...filtered]
  return offsets.length === 0 ? undefined : copyFindings(before, now, { offsets, blocks, atRest, filtered })
}

/** Offsets of findings that only the earlier records have. */
function goneFrom(before: Buffer, now: Buffer): number[] {
  const orderOf = fingerprintOrder(before, now)
  const gone: number[] = []
  let there = 0
  for (const at of offsetsIn(before)) {
    while (there < now.length && orderOf(at, there) > 0) there += recordLength
    if (there >= now.length || orderOf(at, there) !== 0) gone.push(at)
  }
  return gone
}

const isSameVersion = (one: Subject, other: Subject): boolean =>
  one.name === other.name && one.versions?.some((version) => other.versions?.includes(version)) === true

/** Joins the coverage of a scan with that of earlier scans; `isNewer`: of a newer version, which may have withdrawn checks. */
export function joinLooks(before: Look, now: Look, isNewer = false): Look {
  const keyOf = (subject: Subject) => JSON.stringify({ ...subject, versions: undefined })
  const keys = new Set(now.subjects.map(keyOf))
  const [was, is] = [before.scope, now.scope]
  const { parts: _, includedNamespaces: __, ...scope } = is
  const unread = new Set(was.unreadKinds?.map(({ kind }) => kind))
  const excluded = new Set(was.excludedNamespaces)
  const both = (one: string[] | undefined, other: string[] | undefined) =>
    one && other && [...new Set([...one, ...other])]
  const parts = both(is.parts, was.parts)
  const namespaces = both(is.namespaces, was.namespaces)
  const includedNamespaces = both(is.includedNamespaces, was.includedNamespaces)
  const failed = new Set(before.checksNotRun.map(({ id }) => id))
  return {
    subjects: [...now.subjects, ...before.subjects.filter((subject) => !keys.has(keyOf(subject)))],
    scope: {
      ...scope,
      excludedNamespaces: is.excludedNamespaces.filter((namespace) => excluded.has(namespace)),
      ...(is.unreadKinds && { unreadKinds: is.unreadKinds.filter(({ kind }) => unread.has(kind)) }),
      ...(parts && { parts }),
      ...(namespaces && { namespaces }),
      ...(includedNamespaces && { includedNamespaces }),
      checkIds: isNewer ? is.checkIds : (both(is.checkIds ?? undefined, was.checkIds ?? undefined) ?? null),
    },
    checksNotRun: now.checksNotRun.filter(({ id }) => failed.has(id) || was.checkIds?.includes(id) === false),
  }
}

/** The scan alone, without what was carried over. */
export function withoutCarried(run: RunFindings): RunFindings {
  const { records, checks } = run.index
  const carried = new Set(carriedIn(run))
  if (carried.size === 0) return run
  const own = checks.filter(({ since }) => since === undefined)
  const left = offsetsIn(records).filter((at) => !carried.has(at))
  const kept = left.map((at) => records.subarray(at, at + recordLength))
  return { ...run, carriedSubjects: undefined, index: { ...run.index, records: Buffer.concat(kept), checks: own } }
}

/** Offsets of the findings that the run did not look at. */
export const carriedIn = ({ index: { records, checks } }: RunFindings): number[] =>
  checks.at(-1)?.since === undefined
    ? []
    : offsetsIn(records).filter((at) => checks[checkAt(records, at)]!.since !== undefined)

/** Copies findings of a run into the index of the next one. */
async function copyFindings(
  { at, ...before }: Earlier,
  now: RunFindings,
  {
    offsets,
    blocks,
    atRest,
    filtered,
  }: { offsets: number[]; blocks: number; atRest: Map<number, RestState>; filtered: Set<number> },
): Promise<CarriedOver> {
  const { records, checks: checksBefore, namespaces: namespacesBefore, places: placesBefore = noPlaces } = before.index
  const checks = [...now.index.checks]
  const namespaces = [...now.index.namespaces]
  const subjects = [...now.subjects]
  const places = structuredClone(now.index.places ?? noPlaces)

  const subjectsBefore = allSubjects(before)
  const numberCheck = numbering(checks, (check) => JSON.stringify(check))
  const toSubject = numbering(subjects, (subject) => JSON.stringify(subject))
  const toCheck = (offset: number) => {
    const { subject = 0, since = at, isAtRest: _, isGuessed: __, ...check } = checksBefore[checkAt(records, offset)]!
    const position = toSubject(subjectsBefore[subject]!)
    const rests = atRest.get(offset) === 'at_rest' && { isAtRest: true as const }
    const guessed = filtered.has(offset) && { isGuessed: true as const }
    return numberCheck({ ...check, since, ...(position > 0 && { subject: position }), ...rests, ...guessed })
  }
  const numberOf = numbering(namespaces, (name) => name)
  const toNamespace = (number: number) => (number === 0 ? 0 : numberOf(namespacesBefore[number - 1]!) + 1)
  const toPlace = numbering(places.places, (key) => key)
  const toSet = kept((number: number) => {
    places.namespaces.push(placesBefore.namespaces[number]!.map(toNamespace))
    const set = placesBefore.sets[number]!.map((place) => toPlace(placesBefore.places[place]!))
    return places.sets.push(set.sort((a, b) => a - b)) - 1
  })

  const open = kept((block: number) => before.details(block))
  const texts = new TextBlocks(blocks)
  const counts = noFindings()
  const carried: Buffer[] = []
  for (const offset of offsets) {
    const place = placeAt(records, offset)
    const block = await open(toBlock(place))
    const set = placesAt(records, offset)
    carried.push(
      rewriteRecord(records, offset, {
        place: texts.add(readTexts(block, place)),
        check: toCheck(offset),
        ...(set === undefined ? { namespace: toNamespace(namespaceAt(records, offset)) } : { set: toSet(set) }),
      }),
    )
    counts.total += countAt(records, offset)
    counts[severityFor(rankAt(records, offset))] += countAt(records, offset)
  }
  return {
    index: {
      ...now.index,
      records: sortRecords(Buffer.concat([now.index.records, ...carried])),
      checks,
      namespaces,
      ...((now.index.places ?? places.sets.length > 0) && { places }),
    },
    carriedSubjects: subjects.slice(now.subjects.length),
    details: texts.finish(),
    counts,
  }
}

/** The number of each entry in a list, by its key; a new entry is appended. */
function numbering<T>(list: T[], keyFor: (entry: T) => string): (entry: T) => number {
  const numbers = new Map(list.map((entry, i) => [keyFor(entry), i]))
  return (entry) => remember(numbers, keyFor(entry), () => list.push(entry) - 1)
}

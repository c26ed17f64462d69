import { allSubjects } from './comparability.ts'
import { checkAt, fingerprintsAt, isUnfixedAt, offsetsIn, rankAt } from './finding-records.ts'
import { keyOfSubject, type Subject } from './ledger.ts'
import type { RunFindings } from './run-findings.ts'

/** So many findings do not end at once by chance. */
const fewestFiltered = 5

/**
 * Guesses which findings of an image or folder a scanner was told to leave out, by severity, for want of a fix or by an ignore
 * file: its report does not say so. Of the image that the run before had, nothing else ends a finding; of another one, at
 * least five below one severity, or without a fix, are left out if no such finding is left and another one is.
 */
export function filteredAway(before: RunFindings, now: RunFindings, gone: number[]): Set<number> {
  const subjects = allSubjects(before)
  if (gone.length === 0 || !subjects.some(canFilter)) return new Set()
  const left = Map.groupBy(offsetsIn(now.index.records), (at) => subjectAt(now, at))
  const suppressed = new Set(now.index.suppressed.map(({ fingerprint }) => fingerprint))
  const open = gone.filter((at) => !suppressed.has(fingerprintAt(before, at)))
  const bySubject = Map.groupBy(open, (at) => subjectAt(before, at))
  const filtered: number[] = []
  for (const [number, own] of bySubject) {
    const subject = subjects[number]!
    const position = now.subjects.findIndex((each) => keyOf(now, each) === keyOf(before, subject))
    if (position < 0 || !canFilter(subject)) continue
    if (isSameImage(subject, now.subjects[position]!)) filtered.push(...own)
    else filtered.push(...leftOut(before, now, { gone: own, left: left.get(position) ?? [] }))
  }
  return new Set(filtered)
}

const canFilter = ({ kind }: Subject): boolean => kind === 'image' || kind === 'folder'

const keyOf = ({ format }: RunFindings, subject: Subject): string => keyOfSubject(format, subject)

const subjectAt = ({ index: { records, checks } }: RunFindings, at: number): number =>
  checks[checkAt(records, at)]!.subject ?? 0

const fingerprintAt = ({ index, showFingerprints }: RunFindings, at: number): string =>
  showFingerprints(fingerprintsAt(index.records, [at])).toString('hex')

const isSameImage = (one: Subject, other: Subject): boolean =>
  one.versions?.some((version) => version.startsWith('sha256:') && other.versions?.includes(version)) === true

function leftOut(
  { index: { records: before } }: RunFindings,
  { index: { records: now } }: RunFindings,
  { gone, left }: { gone: number[]; left: number[] },
): number[] {
  if (left.length === 0) return []
  const leastSevere = left.reduce((rank, at) => Math.max(rank, rankAt(now, at)), 0)
  const below = gone.filter((at) => rankAt(before, at) > leastSevere)
  if (below.length >= fewestFiltered) return below
  const unfixed = gone.filter((at) => isUnfixedAt(before, at))
  return unfixed.length >= fewestFiltered && !left.some((at) => isUnfixedAt(now, at)) ? unfixed : []
}

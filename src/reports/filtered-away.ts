import { allSubjects } from './comparability.ts'
import { checkAt, fingerprintsAt, offsetsIn, rankAt } from './finding-records.ts'
import { keyOfSubject, type Subject } from './ledger.ts'
import type { RunFindings } from './run-findings.ts'
import { formatTexts } from './select-findings.ts'

/** So many findings do not end at once by chance. */
const fewestFiltered = 5

interface Gone {
  offset: number
  message: string | null
}

/**
 * Guesses which findings of an image or folder a scanner was told to leave out, by severity, for want of a fix or by an ignore
 * file: its report does not say so. Of the image that the run before had, nothing else ends a finding; of another one, at
 * least five below one severity, or without a fix, are left out if no such finding is left and another one is.
 */
export async function filteredAway(before: RunFindings, now: RunFindings, gone: Gone[]): Promise<Set<number>> {
  const subjects = allSubjects(before)
  const left = Map.groupBy(offsetsIn(now.index.records), (at) => subjectAt(now, at))
  const suppressed = new Set(now.index.suppressed.map(({ fingerprint }) => fingerprint))
  const open = gone.filter(({ offset }) => !suppressed.has(fingerprintAt(before, offset)))
  const bySubject = Map.groupBy(open, ({ offset }) => subjectAt(before, offset))
  const filtered: Gone[] = []
  for (const [number, own] of bySubject) {
    const subject = subjects[number]!
    const position = now.subjects.findIndex((each) => keyOf(now, each) === keyOf(before, subject))
    if (position < 0 || !(subject.kind === 'image' || subject.kind === 'folder')) continue
    if (isSameImage(subject, now.subjects[position]!)) filtered.push(...own)
    else filtered.push(...(await leftOut(before, now, { gone: own, left: left.get(position) ?? [] })))
  }
  return new Set(filtered.map(({ offset }) => offset))
}

const keyOf = ({ format }: RunFindings, subject: Subject): string => keyOfSubject(format, subject)

const subjectAt = ({ index: { records, checks } }: RunFindings, at: number): number =>
  checks[checkAt(records, at)]!.subject ?? 0

const fingerprintAt = ({ index, showFingerprints }: RunFindings, at: number): string =>
  showFingerprints(fingerprintsAt(index.records, [at])).toString('hex')

const isSameImage = (one: Subject, other: Subject): boolean =>
  one.versions?.some((version) => version.startsWith('sha256:') && other.versions?.includes(version)) === true

async function leftOut(
  before: RunFindings,
  now: RunFindings,
  { gone, left }: { gone: Gone[]; left: number[] },
): Promise<Gone[]> {
  const leastSevere = left.reduce((rank, at) => Math.max(rank, rankAt(now.index.records, at)), -1)
  const below = gone.filter(({ offset }) => rankAt(before.index.records, offset) > leastSevere)
  if (leastSevere >= 0 && below.length >= fewestFiltered) return below
  const unfixed = gone.filter(({ message }) => isUnfixed(message))
  if (unfixed.length < fewestFiltered || left.length === 0) return []
  for await (const [, { message }] of formatTexts(now, left)) if (isUnfixed(message)) return []
  return unfixed
}

/** As `describePackage` of Trivy's reader says it. */
const isUnfixed = (message: string | null): boolean => message?.endsWith(', no fix yet') === true

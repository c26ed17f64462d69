import type { ReleaseFault } from '../../contract/state-facts.ts'
import { compareNumbers, compareStages, parseVersion, type Version } from '../versions.ts'
import { readLine } from './version-line.ts'

export type FindFault = (tag: string | null, version: Version | undefined) => ReleaseFault | undefined

/** A rebuild that fixes the fault is another release: `v1.11.0-hotfix-1` fixes `v1.11.0`. */
const mended = /[-.+](?:hotfix|security|patch|fix|p)[-.]?\d/i

const severest = ['malicious', 'withdrawn', 'broken', 'retracted', 'republished']

/** Finds the fault of a version; the worst if there are several. */
export function faultsIn(faults: readonly ReleaseFault[]): FindFault | undefined {
  if (faults.length === 0) return undefined
  const tests = faults
    .toSorted((a, b) => severest.indexOf(a.kind) - severest.indexOf(b.kind))
    .map((fault) => ({ fault, isMeant: testOf(fault) }))
  return (tag, version) => tests.find(({ isMeant }) => isMeant(tag, version))?.fault
}

/** Like `faultsIn`, but includes later releases that still have the fault, because they were published before the fix. */
export function unmendedIn(faults: readonly ReleaseFault[]): FindFault | undefined {
  const find = faultsIn(faults)
  const gaps = faults.flatMap((fault) => gapsOf(fault).map((isIn) => ({ fault, isIn })))
  if (!find || gaps.length === 0) return find
  return (tag, version) => find(tag, version) ?? (version && gaps.find(({ isIn }) => isIn(version))?.fault)
}

/** Gaps between the last bad release of a minor version and the one that fixes it. */
function gapsOf({ versions, safe, safe_by_line }: ReleaseFault) {
  if (typeof versions === 'string') return []
  const bad = versions.flatMap((text) => parseVersion(text) ?? [])
  return [...(safe === undefined ? [] : [safe]), ...(safe_by_line ?? [])].flatMap((text) => {
    const mend = parseVersion(text)
    const own = mend ? bad.filter(({ segments }) => isSameMinor(segments, mend.segments)) : []
    const first = own.sort(compareStages)[0]
    if (!mend || !first) return []
    return [(version: Version) => compareStages(version, first) > 0 && compareStages(version, mend) < 0]
  })
}

const isSameMinor = (a: readonly string[], b: readonly string[]) => a[0] === b[0] && (a.length < 3 || a[1] === b[1])

function testOf({ versions }: ReleaseFault): (tag: string | null, version: Version | undefined) => boolean {
  if (typeof versions === 'string') return readLine(versions) ?? (() => false)
  const tags = new Set(versions)
  const listed = versions.flatMap((text) => parseVersion(text) ?? [])
  return (tag, version) => {
    if (tag !== null && tags.has(tag)) return true
    // For an image that is not in the catalog, only the tag is known: `v1.12.1` is `1.12.1`.
    const read = version ?? (tag === null ? undefined : parseVersion(tag))
    return read !== undefined && listed.some((bad) => isSame(read, bad))
  }
}

/**
 * A variant or a vendor's rebuild of a bad release is also bad; a bad version with a rebuild number means only that rebuild.
 */
function isSame(version: Version, bad: Version) {
  if (compareStages(version, bad) !== 0) return false
  if (bad.revision.length > 0) return compareNumbers(version.revision, bad.revision) === 0
  return !mended.test(version.text)
}

import type { ReleaseFault } from '../../contract/state-facts.ts'
import { compareNumbers, compareStages, parseVersion, type Version } from '../versions.ts'
import { readLine } from './version-line.ts'

export type FindFault = (tag: string | null, version: Version | undefined) => ReleaseFault | undefined

/** A fault of its own kind of rebuild is another release: `v1.11.0-hotfix-1` mends `v1.11.0`. */
const mended = /[-.+](?:hotfix|security|patch|fix|p)[-.]?\d/i

const severest = ['malicious', 'withdrawn', 'broken', 'retracted', 'republished']

/** Finds the fault of a version among some faults; the worst, where there are several. */
export function faultsIn(faults: readonly ReleaseFault[]): FindFault | undefined {
  if (faults.length === 0) return undefined
  const tests = faults
    .toSorted((a, b) => severest.indexOf(a.kind) - severest.indexOf(b.kind))
    .map((fault) => ({ fault, isMeant: testOf(fault) }))
  return (tag, version) => tests.find(({ isMeant }) => isMeant(tag, version))?.fault
}

function testOf({ versions }: ReleaseFault): (tag: string | null, version: Version | undefined) => boolean {
  if (typeof versions === 'string') return readLine(versions) ?? (() => false)
  const tags = new Set(versions)
  const listed = versions.flatMap((text) => parseVersion(text) ?? [])
  return (tag, version) =>
    (tag !== null && tags.has(tag)) || (version !== undefined && listed.some((bad) => isSame(version, bad)))
}

/** A variant or a vendor's rebuild of a bad release is as bad; with a count of its own, only that rebuild is meant. */
function isSame(version: Version, bad: Version): boolean {
  if (compareStages(version, bad) !== 0) return false
  if (bad.revision.length > 0) return compareNumbers(version.revision, bad.revision) === 0
  return !mended.test(version.text)
}
